// The steppers of a document: which of them has the keyboard, the screen or the paper.

/** All of them, in their order. */
export const steppers = () => [
  .../** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll(".abviz-stepper")),
];

/**
 * Give a stepper the keyboard, and stay where it is on the screen.
 * @param {HTMLElement} root
 */
export const focusStepper = (root) => root.focus({ preventScroll: true });

/**
 * Give a stepper the keyboard, in sight.
 * @param {HTMLElement} root
 */
export function bringUp(root) {
  focusStepper(root);
  root.scrollIntoView({ block: "nearest" });
}

/**
 * Give the stepper the whole screen, or back what it had before.
 * @param {HTMLElement} root
 */
export async function toggleFullScreen(root) {
  if (document.fullscreenElement !== root) {
    await root.requestFullscreen?.();
    return;
  }
  // other trees were below it
  while (document.fullscreenElement) await document.exitFullscreen();
  focusStepper(root);
}

/**
 * Go to the stepper so many places further on; one that has the whole screen hands that on.
 * @type {(root: HTMLElement, places: number) => Promise<void>}
 */
export async function goToStepper(root, places) {
  const all = steppers();
  const other = all[all.indexOf(root) + places];
  if (!other) return;
  if (document.fullscreenElement === root) await other.requestFullscreen();
  bringUp(other);
}

/**
 * Print the element in place of the stepper.
 * @type {(root: HTMLElement, paper: HTMLElement) => void}
 */
export function printInstead(root, paper) {
  root.append(paper);
  root.classList.add("abviz-printing");
  print();
  root.classList.remove("abviz-printing");
  paper.remove();
}
