// Which code of a page stands on which other: by the names that a box gives, and those it reads.
//
// No Python is asked. Where this errs, it takes a box to stand on another that it doesn't need.

const TEXT_OR_COMMENT =
  /(?<!\w)([A-Za-z]{0,2})(?:("""|''')[\s\S]*?\2|(["'])(?:\\.|(?!\3)[^\\\n])*\3)|#.*/g;
const WORD = /(?<![.\w])[A-Za-z_]\w*/g;
const BLOCK = /^(?:async\s+def|def|class)\s+([A-Za-z_]\w*)/;
const IMPORT = /^(?:from\s+\S+\s+)?import\s+([^;]*)/;
const ASSIGNMENT = /^([^=:]*?)(?::[^=]*)?(?<![!<>])=(?!=)/;
const CHANGE = /^(\s*)(\w+)\s*(?:\*\*|\/\/|<<|>>|[-+*/%&|^@])=/gm;
const TARGET = /^(?:async\s+)?for\s+(.*?)\s+in\b|\bas\s+(\w+)|\b([A-Za-z_]\w*)\s*:=/g;

/**
 * The code without its comments and texts, but for those with braces, which may hold code. What
 * changes a value reads it: "n += 1" is "n = n 1".
 * @param {string} source
 */
const bare = (source) =>
  source
    .replace(TEXT_OR_COMMENT, (all, prefix) => (/f/i.test(prefix ?? "") ? all : '""'))
    .replace(CHANGE, "$1$2 = $2");

/** @param {string} text */
const isBalanced = (text) => text.split("(").length === text.split(")").length;

/**
 * @param {string} text
 * @returns {string[]}
 */
const wordsIn = (text) => text.match(WORD) ?? [];

/**
 * The lines outside functions and classes, and the first of each of those. What is in parentheses
 * is one line.
 * @param {string} source
 */
function outerLines(source) {
  const lines = bare(source)
    .replace(/\(([^()]*)\)/g, (all) => all.replaceAll("\n", " "))
    .split("\n");
  let isInside = false;
  return lines.filter((line) => {
    const isIndented = /^\s/.test(line) || !line;
    if (!isIndented) isInside = BLOCK.test(line);
    return !isIndented || !isInside;
  });
}

/**
 * The names that code gives a value at its outermost level.
 * @param {string} source
 * @returns {Set<string>}
 */
export function definedIn(source) {
  const names = outerLines(source).flatMap((each) => {
    const line = each.trim();
    const block = line.match(BLOCK);
    if (block) return [block[1]];
    const imported = line.match(IMPORT);
    if (imported) return importedNames(imported[1]);
    const left = line.match(ASSIGNMENT)?.[1] ?? "";
    const assigned = isBalanced(left) ? left : ""; // or it is an argument of a call
    const targets = [...line.matchAll(TARGET)].flatMap(([, ...found]) => found.join(" "));
    return wordsIn(`${assigned} ${targets.join(" ")}`);
  });
  return new Set(names);
}

/** @param {string} list what follows `import` */
const importedNames = (list) =>
  list
    .replace(/[()]/g, "")
    .split(",")
    .map(
      (each) =>
        each
          .trim()
          .split(/\s+as\s+/)
          .at(-1)
          ?.split(".")[0] ?? "",
    )
    .filter(Boolean);

/**
 * The places of the boxes above on which a box stands, and on which these do, in order.
 * @param {string[]} sources of all boxes
 * @param {number} place
 */
function standsOn(sources, place) {
  const wanted = new Set(wordsIn(bare(sources[place])));
  /** @type {number[]} */
  const found = [];
  for (let at = place - 1; at >= 0; at -= 1) {
    const given = definedIn(sources[at]);
    if (![...given].some((name) => wanted.has(name))) continue;

    found.unshift(at);
    for (const name of given) wanted.delete(name);
    const words = wordsIn(bare(sources[at]));
    const isRead = (/** @type {string} */ word) =>
      !given.has(word) || words.indexOf(word) !== words.lastIndexOf(word);
    for (const word of words.filter(isRead)) wanted.add(word);
  }
  return found;
}

/**
 * All the code on which the outputs of a box depend: another text where any of it has changed.
 * @param {string[]} sources of all boxes
 * @param {number} place
 */
export function codeBehind(sources, place) {
  return [...standsOn(sources, place), place].map((at) => sources[at]).join("\n# %%\n");
}
