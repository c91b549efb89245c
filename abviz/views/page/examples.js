// The trees of the course: Python puts them here when it joins the page.

/** @type {({text: string} & import("./core/trace.js").Texts)[]} */
export const EXAMPLES = [];
