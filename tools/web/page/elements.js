// Elements of a page.

/**
 * @param {string} name
 * @param {Record<string, string>} attributes
 * @param {...(string | Node)} content
 */
export function html(name, attributes = {}, ...content) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...content);
  return element;
}

/**
 * @param {string} look
 * @param {string} label
 * @param {() => void} act
 */
export function button(look, label, act) {
  const element = /** @type {HTMLButtonElement} */ (html("button", { class: look }, label));
  element.addEventListener("click", act);
  return element;
}
