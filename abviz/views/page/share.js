// Taking a step elsewhere: its address, its picture as SVG, PNG or TikZ, and prints of one step, of all cuts or all steps.

import { LOOKS } from "./data.js";
import { button, html, showText } from "./dom.js";
import { typed } from "./numbers.js";
import { sentence } from "./words.js";

const STYLES = ["fill", "stroke", "stroke-width", "stroke-dasharray", "font-family", "font-size", "font-weight", "opacity"];
const SHARPNESS = 3; // pixels of a PNG for each point
const MOST_PRINTED = 200; // steps
const POINT = 0.03528; // centimetres

/** The panel that shares the page's step. */
export class Share {
  constructor(page) {
    this.page = page;
    this.text = html("textarea", { class: "abviz-text", rows: "3", readonly: "", hidden: "", "aria-label": "Copied text", spellcheck: "false" });
    this.status = html("span", { class: "abviz-hint", role: "status" });
    const acts = {
      "Copy link": () => this.copy(address(page), "The link"),
      "Copy SVG": () => this.copy(svgOf(page.view), "The SVG"),
      "Copy PNG": () => this.copyPng(),
      "Copy TikZ": () => this.copyTikz(),
      "Print step": () => this.print([page.step]),
      "Print cuts": () => this.print(page.trace.cuts.map(({ step }) => step)),
      "Print all steps": () => this.print([...Array(page.trace.length + 1).keys()].slice(0, MOST_PRINTED)),
    };
    const buttons = Object.entries(acts).map(([name, act]) => button(name, act));
    this.link = buttons[0];
    const row = html("div", { class: "abviz-tools" }, ...buttons, this.status);
    this.element = html("div", { class: "abviz-share", role: "group", "aria-label": "Share this step", hidden: "" }, row, this.text);
  }

  turn(on = this.element.hidden) {
    this.page.mode("Share", "abviz-sharing", on, this.element);
    this.link.hidden = !this.page.model.get("address"); // the address of a notebook is not that of a step
    this.text.hidden = true;
  }

  /** Show the text, selected, and put it on the clipboard where that is allowed. */
  async copy(text, what) {
    showText(this.text, text);
    try {
      await navigator.clipboard.writeText(text);
      this.status.textContent = `${what} is on the clipboard.`;
    } catch {
      this.status.textContent = `${what} is selected: copy it with Ctrl+C.`;
    }
  }

  copyTikz() {
    if (!this.page.worksheet.on) return this.copy(tikzOf(this.page), "The TikZ picture");
    this.text.hidden = true;
    this.status.textContent = "The TikZ picture would hold the answers of the practice: end it first (W).";
  }

  async copyPng() {
    const blob = await pngOf(this.page.view);
    try {
      await navigator.clipboard.write([new ClipboardItem({ "image/png": blob })]);
      this.status.textContent = "The picture is on the clipboard.";
    } catch {
      const link = html("a", { href: URL.createObjectURL(blob), download: `step-${this.page.step}.png` });
      link.click();
      URL.revokeObjectURL(link.href);
      this.status.textContent = "The picture is downloaded.";
    }
  }

  /** Print these steps, each with its sentence. */
  print(steps) {
    const { page } = this;
    const before = page.step;
    const sheets = steps.map((step) => {
      page.move(step);
      return html("figure", {}, page.view.picture.cloneNode(true), html("figcaption", {}, `${step}. ${sentence(page.trace, step)}`));
    });
    page.move(before);
    const paper = html("div", { class: "abviz-paper" }, html("h1", {}, page.spec.title), ...sheets);
    page.root.append(paper);
    page.root.classList.add("abviz-printing");
    print();
    page.root.classList.remove("abviz-printing");
    paper.remove();
  }
}

// ------------------------------------------------------------------ addresses

/** The address of the step, with the tree where it has been changed. */
function address(page) {
  const parts = [`step=${page.step}`];
  if (page.editor.past.length) parts.push(`tree=${encodeURIComponent(page.editor.write("JSON"))}`);
  return `${location.href.split("#")[0]}#${parts.join("&")}`;
}

/** Open what the address asks for; return why it cannot be opened, or "". */
export function openAddress(page, hash) {
  const asked = new Map(hash.replace(/^#/, "").split("&").map((part) => part.split("=")));
  try {
    if (asked.has("tree")) page.editor.read(decodeURIComponent(asked.get("tree")));
    const step = asked.has("step") ? typed(asked.get("step")) : page.step;
    if (!Number.isInteger(step) || step < 0 || step > page.trace.length) throw new Error(`there is no step ${asked.get("step")}`);
    page.go(step);
    return "";
  } catch (problem) {
    return `The address does not fit: ${problem.message}. This is the page’s own tree.`;
  }
}

// ------------------------------------------------------------------ pictures

/** The picture with its styles in it, as it looks here. */
function svgOf({ picture }) {
  const copy = picture.cloneNode(true);
  const originals = [picture, ...picture.querySelectorAll("*")];
  [copy, ...copy.querySelectorAll("*")].forEach((element, place) => {
    const style = getComputedStyle(originals[place]);
    for (const name of STYLES) element.setAttribute(name, style.getPropertyValue(name));
    for (const name of ["class", "tabindex", "style"]) element.removeAttribute(name);
  });
  copy.querySelectorAll("foreignObject, .abviz-grip").forEach((element) => element.remove());
  const [, , across, down] = copy.getAttribute("viewBox").split(" ");
  copy.setAttribute("width", across);
  copy.setAttribute("height", down);
  copy.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  return new XMLSerializer().serializeToString(copy);
}

async function pngOf(view) {
  const image = new Image();
  image.src = `data:image/svg+xml,${encodeURIComponent(svgOf(view))}`;
  await image.decode();
  const canvas = html("canvas", { width: image.width * SHARPNESS, height: image.height * SHARPNESS });
  const pen = canvas.getContext("2d");
  pen.fillStyle = getComputedStyle(view.page.root).backgroundColor;
  pen.fillRect(0, 0, canvas.width, canvas.height);
  pen.drawImage(image, 0, 0, canvas.width, canvas.height);
  return new Promise((take) => canvas.toBlob(take));
}

/** The step as a TikZ picture of boxes and lines; what names hold is text in it. */
function tikzOf({ view, trace, step }) {
  const { colours } = LOOKS;
  const at = (x, y) => `(${(x * POINT).toFixed(2)},${(-y * POINT).toFixed(2)})`;
  const lines = Object.entries(colours).map(([name, colour]) => `\\definecolor{abviz${name}}{HTML}{${colour.slice(1).toUpperCase()}}`);
  lines.push("\\begin{tikzpicture}[every node/.style={font=\\footnotesize\\sffamily, align=left}]");
  for (const edge of view.edges.filter(Boolean)) {
    const [kind, letter] = edge.cut.split(" ");
    const look = kind ? `abviz${kind}, dashed` : edge.group.dataset.state === "skipped" ? "abvizfaded, dashed" : "abvizink";
    lines.push(`\\draw[${look}] ${at(edge.x1, edge.y1)} -- ${at(edge.x2, edge.y2)};`);
    if (letter) lines.push(`\\node[abviz${kind}] at ${at(edge.x2, edge.y2 - 14)} {$\\${letter === "α" ? "alpha" : "beta"}$-cut};`);
  }
  trace.tree.nodes.forEach((node, index) => {
    const place = view.places[index];
    if (!place) return;
    const state = trace.nodeAt(index, step);
    const [across, down] = view.sizes[index];
    const fill = index === trace.places[step] ? "active" : node.children.length ? (node.isMax ? "max" : "min") : "paper";
    const size = `minimum width=${(across * POINT).toFixed(2)}cm, minimum height=${(down * POINT).toFixed(2)}cm`;
    const name = escapeTex(node.short);
    const numbers = { "\\alpha": state.alpha, "\\beta": state.beta, bv: state.bv };
    const shown = Object.entries(numbers).filter(([, value]) => value !== null);
    const rows = shown.map(([letter, value]) => `$${letter}=${texNumber(value)}$`);
    const text = node.children.length ? [`$\\${node.isMax ? "bigtriangleup" : "bigtriangledown"}$ ${name}`, ...rows] : [`$${texNumber(node.value)}$`, name];
    lines.push(`\\node[draw, fill=abviz${fill}, ${size}, inner sep=1pt] at ${at(...place)} {${text.join("\\\\")}};`);
  });
  return `${[...lines, "\\end{tikzpicture}"].join("\n")}\n`;
}

const texNumber = (value) => (value === null ? "?" : String(value).replace("Infinity", "\\infty "));

const TEX = { "\\": "\\textbackslash{}", "^": "\\^{}", "~": "\\textasciitilde{}" };
const escapeTex = (text) => text.replace(/[\\^~]|[{}$&#_%]/g, (letter) => TEX[letter] ?? `\\${letter}`);
