// What JupyterLite lacks: a link back to the course, and a sentence when Interrupt does nothing.

import { html } from "./elements.js";
import { putNote } from "./note.js";

const INTERRUPTS = ["notebook:interrupt-kernel", "kernelmenu:interrupt"];
const NO_INTERRUPT =
  "Python in a browser can't be interrupted. Kernel → Restart Kernel… ends it; what you wrote stays.";
const NOTE = "abviz-no-interrupt";

/**
 * Show the link back. When the reader tries Interrupt, say what ends a loop instead.
 * @param {string} course its address
 */
export async function helpReader(course) {
  const app = await startedApp();
  const link = html("a", { href: course, id: "abviz-course" }, "← The course");
  document.getElementById("jp-title")?.before(link);

  app.commands.commandExecuted.connect(
    (/** @type {unknown} */ _, /** @type {{id: string}} */ { id }) => {
      if (!INTERRUPTS.includes(id) || document.getElementById(NOTE)) return;
      putNote(html("span", { id: NOTE, role: "status" }, NO_INTERRUPT), "", "Close");
    },
  );
}

/** JupyterLite's own object, which its page gets when its scripts have begun. */
async function startedApp() {
  const page = /** @type {any} */ (window);
  while (!page.jupyterapp) await new Promise((done) => setTimeout(done, 100));
  await page.jupyterapp.restored;
  return page.jupyterapp;
}
