// What the tests of several views of one model ask of a browser.

import { Clock, Model } from "./model.js";

/** Show the model with these traits in each of the elements, and return it with its clock. */
globalThis.showViews = (render, elements, traits) => {
  const model = new Model(traits);
  const clock = new Clock();
  for (const el of elements) render({ model, el, clock });
  return { model, clock };
};
