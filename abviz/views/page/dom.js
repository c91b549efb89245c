// Elements of the page: html("p", {class: "note"}, "text", child). Texts are text nodes, and never markup.

const SVG = "http://www.w3.org/2000/svg";

export const html = (tag, attributes, ...children) =>
  assemble(document.createElement(tag), attributes, children);
export const svg = (tag, attributes, ...children) =>
  assemble(document.createElementNS(SVG, tag), attributes, children);

export function setAttributes(element, attributes) {
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  return element;
}

function assemble(element, attributes = {}, children = []) {
  setAttributes(element, attributes).append(...children.filter((child) => child !== ""));
  return element;
}

/** Let the element hold these items, texts and what `html` takes as an array. Elements stay where only their attributes
 * or texts differ: the browser would style and lay out anew what is made anew. A text is replaced, to be read out. */
export function refill(element, items) {
  const before = [...element.childNodes];
  items.forEach((item, at) => {
    const node = before[at];
    const old = node?.item;
    if (!node) element.append(nodeOf(item));
    else if (Array.isArray(item) && item[0] === old[0]) {
      for (const name in { ...old[1], ...item[1] }) {
        if (!(name in item[1])) node.removeAttribute(name);
        else if (old[1][name] !== item[1][name]) node.setAttribute(name, item[1][name]);
      }
      refill(node, item.slice(2));
      node.item = item;
    } else if (old !== item) node.replaceWith(nodeOf(item));
  });
  for (const old of before.slice(items.length)) old.remove();
}

function nodeOf(item) {
  const node = Array.isArray(item)
    ? html(item[0], item[1], ...item.slice(2).map(nodeOf))
    : new Text(item);
  return Object.assign(node, { item });
}

/** A button; what is off has aria-disabled and not disabled, for a button that has the focus must not lose it. */
export function button(name, act, attributes = {}, ...content) {
  const element = html(
    "button",
    { type: "button", ...attributes },
    ...(content.length ? content : [name]),
  );
  element.addEventListener(
    "click",
    () => element.getAttribute("aria-disabled") !== "true" && act(),
  );
  return element;
}

/** A dropdown of options [value, text]. */
export function dropdown(label, options, act, value) {
  const attributes = { "aria-label": label, title: label };
  const select = html(
    "select",
    attributes,
    ...options.map(([each, text]) => html("option", { value: each }, text)),
  );
  if (value !== undefined) select.value = value;
  select.addEventListener("change", () => act(select.value));
  return select;
}

/** A field whose text can be copied: shown and selected. */
export function showText(field, text) {
  field.value = text;
  field.hidden = false;
  field.select();
}

/** Let the browser save the content as a file. */
export const download = (blob, name) =>
  html("a", { href: URL.createObjectURL(blob), download: name }).click();

/** Keep keys for an element of a notebook, and return what ends that. JupyterLab listens for keys while they bubble,
 * Notebook 7 while they are captured; both leave alone what has this attribute. It must be on what has the focus, and
 * off for the keys that the notebook gets, and for Ctrl and Meta, or Ctrl+S would not save. */
export function guardKeys(root, passed = ["Escape"]) {
  let guarded;
  const guard = (event) => {
    const ours =
      root.contains(event.target) &&
      !(event.ctrlKey || event.metaKey || passed.includes(keyName(event)));
    guarded?.removeAttribute("data-lm-suppress-shortcuts");
    guarded = ours ? event.target : null;
    guarded?.setAttribute("data-lm-suppress-shortcuts", "");
  };
  window.addEventListener("keydown", guard, true);
  return () => window.removeEventListener("keydown", guard, true);
}

const WRITTEN = { ArrowLeft: "←", ArrowRight: "→", " ": "Space" };

/** The key as the help writes it: "C", "Shift+C", "Alt+←", "Space". */
export function keyName({ key, ctrlKey, metaKey, altKey, shiftKey }) {
  const name = WRITTEN[key] ?? (key.length === 1 ? key.toUpperCase() : key);
  return `${ctrlKey || metaKey ? "Ctrl+" : ""}${altKey ? "Alt+" : ""}${shiftKey ? "Shift+" : ""}${name}`;
}
