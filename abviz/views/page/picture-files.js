// A picture as it is taken elsewhere: SVG and PNG.

import { html, setAttributes } from "./dom.js";

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
