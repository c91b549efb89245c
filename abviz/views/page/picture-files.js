// A picture as it is taken elsewhere: SVG, PNG and TikZ.

import { LOOKS } from "./core/data.js";
import { html, setAttributes } from "./dom.js";

/** @import { Known } from "./core/numbers.js" */
/** @import { Picture } from "./picture.js" */

const STYLES = [
  "fill",
  "stroke",
  "stroke-width",
  "stroke-dasharray",
  "font-family",
  "font-size",
  "font-weight",
];

/** The pixels of a PNG for each point. */
const SHARPNESS = 3;

/** A point in centimeters. */
const POINT = 0.03528;

/**
 * The picture with its styles in it, as it looks here.
 * @param {Element} picture
 */
export function svgOf(picture) {
  const copy = document.importNode(picture, true);
  const originals = [picture, ...picture.querySelectorAll("*")];
  [copy, ...copy.querySelectorAll("*")].forEach((element, place) => {
    const style = getComputedStyle(originals[place]);
    for (const name of STYLES) element.setAttribute(name, style.getPropertyValue(name));
    for (const name of ["class", "tabindex", "style"]) element.removeAttribute(name);
  });
  copy.querySelectorAll("foreignObject, .abviz-grip").forEach((element) => element.remove());
  const [, , width, height] = copy.getAttribute("viewBox")?.split(" ") ?? [];
  return new XMLSerializer().serializeToString(setAttributes(copy, { width, height }));
}

/**
 * @param {Element} picture
 * @returns {Promise<Blob>}
 */
export async function pngOf(picture) {
  const image = new Image();
  image.src = `data:image/svg+xml,${encodeURIComponent(svgOf(picture))}`;
  await image.decode();
  const canvas = html("canvas", {
    width: image.width * SHARPNESS,
    height: image.height * SHARPNESS,
  });
  const pen = canvas.getContext("2d");
  const stepper = picture.closest(".abviz-stepper");
  if (!pen || !stepper) throw new Error("a picture that is not on the page has no PNG");
  pen.fillStyle = getComputedStyle(stepper).backgroundColor;
  pen.fillRect(0, 0, canvas.width, canvas.height);
  pen.drawImage(image, 0, 0, canvas.width, canvas.height);
  return new Promise((take, fail) => {
    canvas.toBlob((blob) => (blob ? take(blob) : fail(new Error("the picture is too large"))));
  });
}

/**
 * The step as a TikZ picture of boxes and lines; what names hold is text in it.
 * @param {Picture} picture
 */
export function tikzOf(picture) {
  const { trace, step, plan } = picture.scene;
  const { colours } = LOOKS;
  /** @type {(x: number, y: number) => string} */
  const at = (x, y) => `(${(x * POINT).toFixed(2)},${(-y * POINT).toFixed(2)})`;
  /** @param {[name: string, colour: string]} entry */
  const define = ([name, colour]) =>
    `\\definecolor{abviz${name}}{HTML}{${colour.slice(1).toUpperCase()}}`;
  const lines = Object.entries(colours).map(define);
  lines.push("\\begin{tikzpicture}[every node/.style={font=\\footnotesize\\sffamily, align=left}]");
  for (const edge of picture.edges) {
    if (!edge) continue;
    const [kind, letter] = edge.cut.split(" ");
    const isSkipped = edge.group.dataset.state === "skipped";
    const look = isSkipped ? `abviz${kind || "faded"}, dashed` : "abvizink";
    lines.push(`\\draw[${look}] ${at(edge.x1, edge.y1)} -- ${at(edge.x2, edge.y2)};`);
    const greek = letter === "α" ? "\\alpha" : "\\beta";
    if (letter)
      lines.push(`\\node[abviz${kind}] at ${at(edge.x2, edge.y2 - 14)} {$${greek}$-cut};`);
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

/** @param {Known} value */
const texNumber = (value) => (value === null ? "?" : String(value).replace("Infinity", "\\infty "));

/** @type {Record<string, string>} */
const TEX = {
  "\\": "\\textbackslash{}",
  "^": "\\^{}",
  "~": "\\textasciitilde{}",
  "<": "$<$",
  ">": "$>$",
  "|": "$|$",
};
/** @param {string} text */
const escapeTex = (text) =>
  text.replace(/[\\^~<>|{}$&#_%]/g, (letter) => TEX[letter] ?? `\\${letter}`);
