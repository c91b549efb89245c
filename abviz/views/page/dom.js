// Elements of the page: html("p", {class: "note"}, "text", child). Texts are text nodes, and never markup.

const SVG = "http://www.w3.org/2000/svg";

/**
 * @typedef {Record<string, string | number | boolean>} Attributes
 *
 * A text, or what `html` takes as an array.
 * @typedef {string | Markup} Item
 * @typedef {[tag: keyof HTMLElementTagNameMap, attributes: Attributes, ...children: Item[]]} Markup
 */

/**
 * @template {keyof HTMLElementTagNameMap} T
 * @param {T} tag
 * @param {Attributes} [attributes]
 * @param {...(string | Node)} children
 */
export const html = (tag, attributes, ...children) =>
  assemble(document.createElement(tag), attributes, children);

/**
 * @template {keyof SVGElementTagNameMap} T
 * @param {T} tag
 * @param {Attributes} [attributes]
 * @param {...(string | Node)} children
 */
export const svg = (tag, attributes, ...children) =>
  assemble(document.createElementNS(SVG, tag), attributes, children);

/**
 * @template {Element} E
 * @param {E} element
 * @param {Attributes} attributes
 */
export function setAttributes(element, attributes) {
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, `${value}`);
  return element;
}

/**
 * @template {Element} E
 * @param {E} element
 * @param {Attributes} [attributes]
 * @param {(string | Node)[]} children
 */
function assemble(element, attributes = {}, children = []) {
  setAttributes(element, attributes).append(...children.filter((child) => child !== ""));
  return element;
}

/**
 * What the elements that `refill` has made stand for.
 * @type {WeakMap<Node, Markup>}
 */
const MADE = new WeakMap();

/**
 * Let the element hold these items. Elements stay where only their attributes or texts differ: the
 * browser would style and lay out anew what is made anew. A text is replaced, to be read out.
 * @param {Element} element
 * @param {Item[]} items
 */
export function refill(element, items) {
  const before = [...element.childNodes];
  items.forEach((item, at) => {
    const node = before[at];
    if (!node) element.append(nodeOf(item));
    else if (typeof item === "string") {
      if (!(node instanceof Text && node.data === item)) node.replaceWith(item);
    } else if (!(node instanceof Element && isRefilled(node, item))) {
      node.replaceWith(nodeOf(item));
    }
  });
  for (const old of before.slice(items.length)) old.remove();
}

/**
 * Let the element be the item, where it has its tag.
 * @param {Element} element
 * @param {Markup} item
 */
function isRefilled(element, item) {
  const old = MADE.get(element);
  const [tag, attributes, ...children] = item;
  if (old?.[0] !== tag) return false;

  for (const name in old[1]) if (!(name in attributes)) element.removeAttribute(name);
  for (const name in attributes) {
    if (old[1][name] !== attributes[name]) element.setAttribute(name, `${attributes[name]}`);
  }
  refill(element, children);
  MADE.set(element, item);
  return true;
}

/** @param {Item} item */
function nodeOf(item) {
  if (typeof item === "string") return new Text(item);
  const [tag, attributes, ...children] = item;
  /** @type {HTMLElement} */
  const element = html(tag, attributes, ...children.map(nodeOf));
  MADE.set(element, item);
  return element;
}

/**
 * A button; what is off has aria-disabled and not disabled, for a button that has the focus must not lose it.
 * @param {string} name
 * @param {() => void} act
 * @param {Attributes} attributes
 * @param {...(string | Node)} content
 */
export function button(name, act, attributes = {}, ...content) {
  const element = html(
    "button",
    { type: "button", ...attributes },
    ...(content.length ? content : [name]),
  );
  element.addEventListener("click", () => {
    if (element.getAttribute("aria-disabled") !== "true") act();
  });
  return element;
}

/**
 * A field for a number, which the wheel leaves alone: a reader who scrolls changes nothing.
 * @param {Attributes} attributes
 */
export function numberInput(attributes) {
  const field = html("input", { type: "number", ...attributes });
  field.addEventListener(
    "wheel",
    () => {
      field.readOnly = true; // only now, so that the page scrolls as it does elsewhere
      setTimeout(() => {
        field.readOnly = false;
      });
    },
    { passive: true },
  );
  return field;
}

/**
 * A dropdown.
 * @template {string | number} Value
 * @param {string} label
 * @param {[value: Value, text: string][]} options
 * @param {(value: NoInfer<`${Value}`>) => void} act
 * @param {NoInfer<Value>} [value]
 */
export function dropdown(label, options, act, value) {
  const attributes = { "aria-label": label, title: label };
  const select = html(
    "select",
    attributes,
    ...options.map(([each, text]) => html("option", { value: each }, text)),
  );
  if (value !== undefined) select.value = `${value}`;
  select.addEventListener("change", () => {
    act(/** @type {`${Value}`} */ (select.value));
  });
  return select;
}

/**
 * A field whose text can be copied: shown and selected.
 * @param {HTMLInputElement | HTMLTextAreaElement} field
 * @param {string} text
 */
export function showText(field, text) {
  field.value = text;
  field.hidden = false;
  field.select();
}

/**
 * Let the browser save the content as a file.
 * @param {Blob} blob
 * @param {string} name
 */
export const download = (blob, name) =>
  html("a", { href: URL.createObjectURL(blob), download: name }).click();

/**
 * Keep keys for an element of a notebook, and return what ends that. JupyterLab listens for keys while they bubble,
 * Notebook 7 while they are captured; both leave alone what has this attribute. It must be on what has the focus, and
 * off for the keys that the notebook gets, and for Ctrl and Meta, or Ctrl+S would not save.
 * @param {Element} root
 * @param {string[]} passed
 */
export function guardKeys(root, passed = ["Escape"]) {
  /** @type {Element | null} */
  let guarded = null;
  /** @param {KeyboardEvent} event */
  const guard = (event) => {
    const { target } = event;
    const isPassed = event.ctrlKey || event.metaKey || passed.includes(keyName(event));
    const isOurs = target instanceof Element && root.contains(target) && !isPassed;
    guarded?.removeAttribute("data-lm-suppress-shortcuts");
    guarded = isOurs ? target : null;
    guarded?.setAttribute("data-lm-suppress-shortcuts", "");
  };
  window.addEventListener("keydown", guard, true);
  return () => window.removeEventListener("keydown", guard, true);
}

/** @type {Record<string, string>} */
const WRITTEN = { ArrowLeft: "←", ArrowRight: "→", " ": "Space" };

/**
 * The key as the help writes it: "C", "Shift+C", "Alt+←", "Space".
 * @param {KeyboardEvent} event
 */
export function keyName({ key, ctrlKey, metaKey, altKey, shiftKey }) {
  const name = WRITTEN[key] ?? (key.length === 1 ? key.toUpperCase() : key);
  return `${ctrlKey || metaKey ? "Ctrl+" : ""}${altKey ? "Alt+" : ""}${shiftKey ? "Shift+" : ""}${name}`;
}
