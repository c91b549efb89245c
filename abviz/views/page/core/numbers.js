// Numbers as Python writes them. A whole number from 10^15 on is a BigInt, as exact here as there; `<` and `==` compare
// it with other numbers, `===` and Math.max do not.

/**
 * A value of a node: a whole number from 10^15 on is a BigInt, so that it stays exact.
 * @typedef {number | bigint} Value
 *
 * A value, or null where the search has none or none is known.
 * @typedef {Value | null} Known
 */

const EXACT = 1e15;

// The page takes numbers below 2^53 and shows larger ones that Python sends.
export const FITTING = "a number below 2^53 (9007199254740992); Python takes larger ones";
/** @param {Known} value */
export function isTooLarge(value) {
  const size = Math.abs(Number(value));
  return size >= 2 ** 53 && size < Infinity;
}

/**
 * The number of a JSON value: "inf", "-inf", a number, or the digits of a large whole number; null: not known.
 * @param {string | Known} value
 * @returns {Known}
 */
export function fromJson(value) {
  if (typeof value !== "string") return value;
  if (value === "inf") return Infinity;
  if (value === "-inf") return -Infinity;
  return BigInt(value);
}

/**
 * The number as JSON can hold it; the opposite of fromJson.
 * @param {Known} value
 */
export function toJson(value) {
  return typeof value === "bigint" || value === Infinity || value === -Infinity
    ? machine(value)
    : value;
}

/**
 * The number as `data-*` attributes write it: 3, -1, 0.5, 1e-05, -inf, or "" for null.
 * @param {Known | undefined} value
 */
export function machine(value) {
  if (value === null || value === undefined) return "";
  if (typeof value === "bigint" || !Number.isFinite(value))
    return String(value).replace("Infinity", "inf");
  const size = Math.abs(value);
  if (size === 0 || (size >= 1e-4 && size < EXACT)) return String(value);
  if (size >= EXACT && size < 1e16) return `${value}.0`;
  // Python writes two digits of the exponent
  return value.toExponential().replace(/e([+-])(\d)$/, "e$10$2");
}

/**
 * The number as pictures and sentences write it: 3, −1, 0.5, −∞, or "?" for null.
 * @param {Known | undefined} value
 */
export function number(value) {
  return value === null || value === undefined
    ? "?"
    : machine(value).replaceAll("-", "−").replace("inf", "∞");
}

const TYPED = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;

/** 1,000 may be a thousand, or one. */
const THOUSANDS = /^\D?[1-9]\d{0,2},\d{3}$/;
const INFINITY = /^([+-]?)(∞|inf|infinity)$/i;

/**
 * The number that a reader types, with either minus sign; undefined for anything else, null for "?".
 * @param {string} text
 * @returns {Known | undefined}
 */
export function typed(text) {
  const plain = text.trim().replace(/[−–]/g, "-").replace(",", ".");
  if (plain === "?") return null;
  if (THOUSANDS.test(text.trim())) return undefined;
  const infinite = plain.match(INFINITY);
  if (infinite) return infinite[1] === "-" ? -Infinity : Infinity;
  if (!TYPED.test(plain)) return undefined;
  const value = Number(plain);
  // 1e400 is no win
  if (!Number.isFinite(value)) return undefined;
  if (Math.abs(value) >= EXACT && /^[+-]?\d+$/.test(plain)) return BigInt(plain.replace("+", ""));
  // -0 becomes 0
  return value + 0;
}

/**
 * The larger, or the first of equals, as Python's max: never Math.max, which refuses a BigInt.
 * @param {Value} one
 * @param {Value} other
 */
export const larger = (one, other) => (other > one ? other : one);

/**
 * The smaller, or the first of equals.
 * @param {Value} one
 * @param {Value} other
 */
export const smaller = (one, other) => (other < one ? other : one);

/**
 * Round half to even, as Python does.
 * @param {number} value
 */
export function round(value) {
  const low = Math.floor(value);
  if (value - low !== 0.5) return Math.round(value);
  return low % 2 ? low + 1 : low;
}
