// What is said of a prediction when the answer is shown: the same words and picture as those of
// abviz/exercises/predictions.py, for a page whose Python has not been asked.

/**
 * @typedef {string | number} Answer
 * @typedef {{name: string, answer: Answer, text: string}} Truth with the answer as it is written
 */

const SIGNS = { right: "✓ ", wrong: "✗ ", "": "" };

/**
 * @param {Answer} value
 * @returns {string}
 */
export function written(value) {
  if (typeof value === "string") return value;
  const rounded = Math.round(value * 1000) / 1000;
  return rounded.toLocaleString("en-US", { maximumFractionDigits: 3 }).replace("-", "−");
}

/**
 * What is said of the guess, and how it stands.
 * @param {Answer} guess
 * @param {Truth} truth
 * @returns {{text: string, standing: "right" | "wrong" | ""}}
 */
export function said(guess, { answer, text }) {
  if (written(guess) === text) {
    return { text: `You said ${text}, and that's right.`, standing: "right" };
  }
  const standing = typeof answer === "string" ? "wrong" : ""; // a number may be a good guess
  return { text: `You said ${written(guess)}; it's ${text}.`, standing };
}

/**
 * Where the guess and the truth stand on a line from `low` to `high`; null where they are none.
 * @param {Answer} guess
 * @param {Answer} answer
 */
export function line(guess, answer) {
  if (typeof guess !== "number" || typeof answer !== "number") return null;
  if (!Number.isFinite(guess) || !Number.isFinite(answer)) return null;
  const low = Math.min(0, guess, answer);
  const high = Math.max(1, guess, answer);
  /** @param {number} value */
  const place = (value) => 80 + (300 * (value - low)) / (high - low);
  return { low, high, guess: place(guess), answer: place(answer) };
}

/**
 * @param {Answer} guess
 * @param {Truth} truth
 */
export function reveal(guess, truth) {
  const { text, standing } = said(guess, truth);
  const card = document.createElement("p");
  card.className = "revealed";
  card.dataset.standing = standing;
  card.append(SIGNS[standing], text);

  const block = document.createElement("div");
  const at = line(guess, truth.answer);
  if (at) block.innerHTML = picture(at, written(guess), truth.text);
  block.append(card);
  return block;
}

/**
 * A ring for the guess and a diamond for the truth.
 * @param {NonNullable<ReturnType<typeof line>>} at
 * @param {string} guess
 * @param {string} answer
 */
function picture(at, guess, answer) {
  const [you, it] = [at.guess.toFixed(1), at.answer.toFixed(1)];
  return `<svg viewBox="0 0 460 66" width="460" aria-hidden="true" fill="currentColor"
 font-size="13" font-family="system-ui, sans-serif" text-anchor="middle" class="number-line">
<path d="M80 34H380M80 28v12M380 28v12" stroke="currentColor" stroke-width="1.5"/>
<text x="40" y="38.5">${written(at.low)}</text><text x="420" y="38.5">${written(at.high)}</text>
<circle cx="${you}" cy="34" r="9" fill="none" stroke="currentColor" stroke-width="2"/>
<path d="M${it} 28l6 6-6 6-6-6z"/>
<text x="${you}" y="60">you: ${guess}</text><text x="${it}" y="16">answer: ${answer}</text></svg>`;
}
