// Taking a step elsewhere: its address, its picture as SVG, PNG or TikZ, and prints of one step, all cuts or all steps.

import { LOOKS } from "./core/data.js";
import { button, download, html, setAttributes, showText } from "./dom.js";
import { completed } from "./core/edit.js";
import { readTree, writeTree } from "./core/formats.js";
import { Picture } from "./picture.js";
import { isSameSearch } from "./core/trace.js";
import { sentence } from "./core/words.js";

const STYLES = [
  "fill",
  "stroke",
  "stroke-width",
  "stroke-dasharray",
  "font-family",
  "font-size",
  "font-weight",
];
const SHARPNESS = 3; // pixels of a PNG for each point
const MOST_PRINTED = 200; // steps
const POINT = 0.03528; // centimetres

/** The panel that shares the page's step. */
export class Share {
  constructor(page) {
    this.page = page;
    const attributes = {
      class: "abviz-text",
      rows: "3",
      readonly: "",
      hidden: "",
      "aria-label": "Copied text",
    };
    this.text = html("textarea", attributes);
    this.status = html("span", { class: "abviz-hint", role: "status" });
    const acts = {
      "Copy link": () => this.copy(address(page), "The link"),
      "Copy SVG": () => this.copy(svgOf(page.view.picture.element), "The SVG"),
      "Copy PNG": () => this.copyPng(),
      "Copy TikZ": () => this.copy(tikzOf(page.view.picture), "The TikZ picture"),
      "Print step": () => this.print([page.step]),
      "Print cuts": () => this.print(page.trace.cuts.map(({ step }) => step)),
      "Print all steps": () =>
        this.print([...Array(page.trace.length + 1).keys()].slice(0, MOST_PRINTED)),
    };
    const buttons = Object.entries(acts).map(([name, act]) => button(name, act));
    buttons[0].hidden = !page.model.get("address"); // the address of a notebook is not that of a step
    const row = html("div", { class: "abviz-tools" }, ...buttons, this.status);
    this.element = html("div", { class: "abviz-share", hidden: "" }, row, this.text);
  }

  turn(on = this.element.hidden) {
    this.page.mode("Share", "abviz-sharing", on, this.element);
    this.text.hidden = true;
    this.status.textContent = "";
  }

  /** Show the text, selected, and put it on the clipboard where that is allowed. */
  copy(text, what) {
    showText(this.text, text);
    this.status.textContent = `${what} is selected: copy it with Ctrl+C.`;
    const copied = () => (this.status.textContent = `${what} is on the clipboard.`);
    navigator.clipboard?.writeText(text).then(copied, () => {});
  }

  async copyPng() {
    const blob = await pngOf(this.page.view.picture.element);
    try {
      await navigator.clipboard.write([new ClipboardItem({ "image/png": blob })]);
      this.status.textContent = "The picture is on the clipboard.";
    } catch {
      download(blob, `step-${this.page.step}.png`);
      this.status.textContent = "The picture is downloaded.";
    }
  }

  /** Print these steps, each with its sentence. */
  print(steps) {
    const { page } = this;
    const picture = new Picture(); // on no screen
    const scene = { ...page.scene(), isStill: true };
    const { width } = page.view.picture.element.style;
    const sheets = steps.map((step) => {
      picture.show({ ...scene, step });
      const copy = picture.element.cloneNode(true);
      copy.style.width = width;
      const caption = html("figcaption", {}, `${step}. ${sentence(page.trace, step)}`);
      return html("figure", { class: "abviz-tree" }, copy, caption);
    });
    const paper = html("div", { class: "abviz-paper" }, html("h1", {}, page.tree.title), ...sheets);
    page.root.append(paper);
    page.root.classList.add("abviz-printing");
    print();
    page.root.classList.remove("abviz-printing");
    paper.remove();
  }
}

// ------------------------------------------------------------------ addresses

/** The address of the step, with what has been changed; `on=2` stands for the second tree of the page. */
function address(page) {
  const number = steppers().indexOf(page.root) + 1;
  const parts = [...(number > 1 ? [`on=${number}`] : []), `step=${page.step}`, ...changesOf(page)];
  return `${location.href.split("#")[0]}#${parts.join("&")}`;
}

/** The parts of an address that say what differs from the page's own tree, search and rules. */
export function changesOf({ trace, original, isOwnTree, tree }) {
  const rules = Object.keys(trace.rules).filter((name) => trace.rules[name]);
  const isOwnSearch = isSameSearch(trace.options, original.options);
  const parts = isOwnSearch ? [] : [`search=${trace.search}`, `rules=${rules}`];
  if (trace.depth !== original.depth) parts.push(`depth=${trace.depth ?? ""}`);
  return isOwnTree ? parts : [...parts, `tree=${encodeURIComponent(writeTree(tree, "JSON"))}`];
}

export const steppers = () => [...document.querySelectorAll(".abviz-stepper")];

/** The stepper that the address is for: the first, unless it names another; undefined where there is no such. */
export function askedStepper(hash) {
  return steppers()[(new URLSearchParams(hash.slice(1)).get("on") ?? 1) - 1];
}

/** Open what the address asks for; return why it cannot be opened, or "". */
export function openAddress(page, hash) {
  const asked = new URLSearchParams(hash.slice(1));
  try {
    if (!askedStepper(hash)) throw new Error(`there is no tree ${asked.get("on")} on this page`);
    if (["tree", "search", "rules"].some((name) => asked.has(name))) openChanges(page, asked);
    const step = Number(asked.get("step") ?? page.step);
    if (!(step in page.trace.places))
      throw new Error(`there is no step ${step}; expected 0 to ${page.trace.length}`);
    page.go(step);
    return "";
  } catch (problem) {
    const shown = page.isOwnTree ? "the page’s own tree" : "the tree of the address";
    return `The address does not fit: ${problem.message}. This is ${shown}.`;
  }
}

/** Show the tree, the search and the rules that are asked for, all of them or none. */
function openChanges(page, asked) {
  const { editor, tree, trace } = page;
  if (editor.locked) return void page.send({ type: "compare" });
  const search = asked.get("search") ?? trace.search;
  const names = Object.keys(trace.rules);
  const on =
    asked.get("rules")?.split(",").filter(Boolean) ?? names.filter((name) => trace.rules[name]);
  const wrong =
    on.find((name) => !names.includes(name)) ??
    (["alphabeta", "minimax"].includes(search) ? "" : search);
  if (wrong) throw new Error(`there is no search or rule ${wrong}`);
  const rules = Object.fromEntries(names.map((name) => [name, on.includes(name)]));
  const more = search === trace.search ? trace.options : {};
  const depth = asked.has("depth") ? Number(asked.get("depth")) || null : trace.depth;
  const next = asked.has("tree")
    ? editor.known(completed(readTree(asked.get("tree")), page.original.tree))
    : tree;
  if (!editor.to(next, { ...more, search, rules, depth }))
    throw new Error(page.problem.textContent);
}

// ------------------------------------------------------------------ pictures

/** The picture with its styles in it, as it looks here. */
function svgOf(picture) {
  const copy = picture.cloneNode(true);
  const originals = [picture, ...picture.querySelectorAll("*")];
  [copy, ...copy.querySelectorAll("*")].forEach((element, place) => {
    const style = getComputedStyle(originals[place]);
    for (const name of STYLES) element.setAttribute(name, style.getPropertyValue(name));
    for (const name of ["class", "tabindex", "style"]) element.removeAttribute(name);
  });
  copy.querySelectorAll("foreignObject, .abviz-grip").forEach((element) => element.remove());
  const [, , across, down] = copy.getAttribute("viewBox").split(" ");
  return new XMLSerializer().serializeToString(
    setAttributes(copy, { width: across, height: down }),
  );
}

async function pngOf(picture) {
  const image = new Image();
  image.src = `data:image/svg+xml,${encodeURIComponent(svgOf(picture))}`;
  await image.decode();
  const canvas = html("canvas", {
    width: image.width * SHARPNESS,
    height: image.height * SHARPNESS,
  });
  const pen = canvas.getContext("2d");
  pen.fillStyle = getComputedStyle(picture.closest(".abviz-stepper")).backgroundColor;
  pen.fillRect(0, 0, canvas.width, canvas.height);
  pen.drawImage(image, 0, 0, canvas.width, canvas.height);
  return new Promise((take) => canvas.toBlob(take));
}

/** The step as a TikZ picture of boxes and lines; what names hold is text in it. */
function tikzOf(picture) {
  const { trace, step, plan } = picture.scene;
  const { colours } = LOOKS;
  const at = (x, y) => `(${(x * POINT).toFixed(2)},${(-y * POINT).toFixed(2)})`;
  const define = ([name, colour]) =>
    `\\definecolor{abviz${name}}{HTML}{${colour.slice(1).toUpperCase()}}`;
  const lines = Object.entries(colours).map(define);
  lines.push("\\begin{tikzpicture}[every node/.style={font=\\footnotesize\\sffamily, align=left}]");
  for (const edge of picture.edges.filter(Boolean)) {
    const [kind, letter] = edge.cut.split(" ");
    const isSkipped = edge.group.dataset.state === "skipped";
    const look = isSkipped ? `abviz${kind || "faded"}, dashed` : "abvizink";
    lines.push(`\\draw[${look}] ${at(edge.x1, edge.y1)} -- ${at(edge.x2, edge.y2)};`);
    const greek = { α: "\\alpha", β: "\\beta" }[letter];
    if (greek) lines.push(`\\node[abviz${kind}] at ${at(edge.x2, edge.y2 - 14)} {$${greek}$-cut};`);
  }
  trace.nodes.forEach(({ index, isMax, value, short, children }) => {
    const place = plan.places[index];
    if (!place) return;
    const state = trace.nodeAt(index, step);
    const [across, down] = plan.sizes[index];
    const fill =
      index === trace.places[step] ? "active" : children.length ? (isMax ? "max" : "min") : "paper";
    const size = `minimum width=${(across * POINT).toFixed(2)}cm, minimum height=${(down * POINT).toFixed(2)}cm`;
    const name = escapeTex(short);
    const numbers = Object.entries({ "\\alpha": state.alpha, "\\beta": state.beta, bv: state.bv });
    const known = numbers.filter(([, number]) => number !== null);
    const head = `$\\${isMax ? "bigtriangleup" : "bigtriangledown"}$ ${name}`;
    const inner = [head, ...known.map(([letter, number]) => `$${letter}=${texNumber(number)}$`)];
    const text = children.length ? inner : [`$${texNumber(value)}$`, name];
    lines.push(
      `\\node[draw, fill=abviz${fill}, ${size}, inner sep=1pt] at ${at(...place)} {${text.join("\\\\{}")}};`,
    );
  });
  return `${[...lines, "\\end{tikzpicture}"].join("\n")}\n`;
}

const texNumber = (value) => (value === null ? "?" : String(value).replace("Infinity", "\\infty "));

const TEX = {
  "\\": "\\textbackslash{}",
  "^": "\\^{}",
  "~": "\\textasciitilde{}",
  "<": "$<$",
  ">": "$>$",
  "|": "$|$",
};
const escapeTex = (text) =>
  text.replace(/[\\^~<>|{}$&#_%]/g, (letter) => TEX[letter] ?? `\\${letter}`);
