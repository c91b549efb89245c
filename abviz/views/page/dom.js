// Elements of the page: html("p", {class: "note"}, "text", child). Texts are text nodes, and never markup.

const SVG = "http://www.w3.org/2000/svg";

export const html = (tag, attributes, ...children) => assemble(document.createElement(tag), attributes, children);
export const svg = (tag, attributes, ...children) => assemble(document.createElementNS(SVG, tag), attributes, children);

export function setAttributes(element, attributes) {
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  return element;
}

function assemble(element, attributes = {}, children = []) {
  setAttributes(element, attributes).append(...children.filter((child) => child !== ""));
  return element;
}
