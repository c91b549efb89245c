// The page's Python, in a worker of its own, so that the page stays alive whatever a cell does.

/**
 * What the worker says: see worker.js, and session.py for what a cell posts.
 * @typedef {{type: string, cell?: string} & Record<string, any>} Message
 */

export const RESTART = "Python starts again with the next Run, and what you typed stays.";

/** @param {string} why */
const notLoaded = (why) =>
  `Python could not be loaded (${why}). Press Run to try again, or reload the page.`;

export class Python {
  /** @type {Worker | null} */
  worker = null;
  /** @type {Promise<void> | null} */
  isReady = null;
  /** @type {((status: string) => void) | null} */
  finish = null; // of the run that is under way
  /** @type {Record<string, string | number>} */
  answers = {};
  /** @type {(reason: Error) => void} */
  fail = () => {}; // what waits for Python to load

  /**
   * @param {object} options
   * @param {(message: Message) => void} options.hear what a cell posts
   * @param {(loaded: number, all: number, isKept: boolean) => void} options.loading in
   *   bytes, and whether the browser has them already
   * @param {() => void} options.lose called when Python has ended, with all its names
   */
  constructor({ hear, loading, lose }) {
    this.hear = hear;
    this.loading = loading;
    this.lose = lose;
  }

  /** Load Python, where it is not loaded yet. */
  load() {
    this.isReady ??= new Promise((resolve, reject) => {
      this.worker = new Worker(new URL("worker.js", import.meta.url), { type: "module" });
      this.fail = reject;
      this.worker.onmessage = ({ data }) => this.take(data, resolve);
      this.worker.onerror = () => this.stop(notLoaded("no answer"));
    });
    return this.isReady;
  }

  /**
   * @param {Message} message
   * @param {() => void} resolve
   */
  take(message, resolve) {
    if (message.type === "loading") this.loading(message.loaded, message.all, message.isKept);
    else if (message.type === "ready") {
      this.keepAnswers(this.answers); // before, nobody in the worker would hear it
      resolve();
    } else if (message.type === "not loaded") this.stop(notLoaded(message.text));
    else if (message.type === "broken") this.stop(`Python broke down. ${RESTART}`);
    else if (message.type === "ended") this.finish?.(message.status);
    else this.hear(message);
  }

  /**
   * Run one cell.
   * @param {string} cell
   * @param {string} source
   * @param {boolean} isQuiet whether it is for its names only, and shows nothing
   * @returns {Promise<string>} "done", "failed", or why it has been ended
   */
  async run(cell, source, isQuiet) {
    await this.load();
    const ended = new Promise((resolve) => {
      this.finish = resolve;
    });
    this.worker?.postMessage({ type: "run", cell, source, isQuiet });
    return ended;
  }

  /**
   * Let Python find the answers to predictions that were given on the page.
   * @param {Record<string, string | number>} answers
   */
  keepAnswers(answers) {
    this.answers = answers;
    this.worker?.postMessage({ type: "answers", text: JSON.stringify(answers) });
  }

  /**
   * Tell a widget what its reader has done.
   * @param {string} id
   * @param {object} told
   */
  tell(id, told) {
    this.worker?.postMessage({ type: "tell", text: JSON.stringify({ id, ...told }) });
  }

  /**
   * End Python, whatever it does; it is loaded anew when it is next needed.
   * @param {string} reason shown where the page waits for Python
   */
  stop(reason) {
    this.worker?.terminate();
    this.worker = null;
    this.isReady = null;
    this.fail(new Error(reason));
    this.finish?.(reason);
    this.finish = null;
    this.lose();
  }
}
