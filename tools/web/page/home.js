// The front page: one tree to play with, which needs no Python.

import { importPacked, putStyle } from "./packed.js";

const HERE = new URL(".", import.meta.url);

/** @param {Record<string, unknown>} state */
function modelOf(state) {
  const ignore = () => {};
  return {
    /** @param {string} name */
    get: (name) => state[name],
    /** @type {(name: string, value: unknown) => void} */
    set: (name, value) => {
      state[name] = value;
    },
    save_changes: ignore,
    on: ignore,
    off: ignore,
  };
}

const place = /** @type {HTMLElement} */ (document.getElementById("stepper"));
const { state, kind } = JSON.parse(document.getElementById("page-data")?.textContent ?? "");
const [module] = await Promise.all([
  importPacked(new URL(kind.script, HERE)),
  putStyle(new URL(kind.style, HERE)),
]);
place.replaceChildren();
module.default.render({ model: modelOf(state), el: place });
const stepper = /** @type {HTMLElement} */ (place.querySelector(".abviz-stepper"));

for (const button of document.querySelectorAll("[data-key]")) {
  const { key, mode = "" } = /** @type {HTMLElement} */ (button).dataset;
  button.addEventListener("click", () => {
    stepper.scrollIntoView();
    stepper.focus({ preventScroll: true });
    if (stepper.classList.contains(mode)) return; // the key would leave it
    stepper.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
  });
}

const wheel = /** @type {HTMLAnchorElement} */ (document.getElementById("wheel"));
wheel.textContent = wheel.href;
performance.mark("ready");
document.documentElement.dataset.ready = "";

// What is for later comes after what is wanted now.
const { EndingOnPage } = await import("./ending-page.js");
new EndingOnPage(/** @type {HTMLElement} */ (document.getElementById("ending")), { module, state });
const { showProgress } = await import("./progress.js");
showProgress(/** @type {HTMLElement} */ (document.querySelector(".contents")));
const { keepVisited, offerToKeepAll } = await import("./offline.js");
keepVisited();
offerToKeepAll(/** @type {HTMLElement} */ (document.getElementById("offline")));
