// The trees of the course: Python puts them here when it joins the page.

export const EXAMPLES = [];
