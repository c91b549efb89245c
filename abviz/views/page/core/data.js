// The texts and the looks that the page shares with Python.

import SENTENCES_JSON from "../../../tracing/sentences.json" with { type: "json" };
import PSEUDOCODE_JSON from "../../../tracing/pseudocode.json" with { type: "json" };
import LOOKS_JSON from "../looks.json" with { type: "json" };

/**
 * A set of templates, by name.
 * @typedef {Record<string, string>} Templates
 *
 * @typedef {object} Sentences
 * @property {Record<string, {title: string, off: string, on: string}>} rules
 * @property {Record<string, Templates>} players
 * @property {Templates} cuts
 * @property {Templates} sentences
 * @property {Record<string, Templates>} plain by level, the sentences that name no bound
 * @property {Templates} parts
 * @property {Templates} results
 * @property {Templates} whys what is said of a node that a reader asks about
 * @property {Templates} letters what the letters at a node mean
 * @property {Templates} newcomer the question before the first cut
 * @property {Record<string, QuestionTexts>} questions
 * @property {Templates} reasons
 *
 * @typedef {object} QuestionTexts
 * @property {string} name
 * @property {string} text
 * @property {string} [recorded] the text about the run of a function
 * @property {string[]} [choices]
 */

/** @type {Sentences} */
export const SENTENCES = SENTENCES_JSON;

/**
 * A form of the pseudocode: lines of the parts.
 * @typedef {object} Form
 * @property {string} name
 * @property {string} title
 * @property {Partial<Record<string, boolean>>} [needs] the rules that it is written for
 * @property {string[]} [head]
 * @property {string[]} [side] written for MAX and for MIN
 * @property {string[]} [middle]
 * @property {string[]} [tail]
 *
 * @typedef {"words" | "words to depth" | "words right to left" | "words fail-hard"} WordsName
 * @typedef {object} Forms
 * @property {Record<string, Templates>} players
 * @property {Form[]} forms
 * @property {Form} minimax
 * @property {Form} own
 */

/** @type {Forms & Record<WordsName, Templates>} */
export const PSEUDOCODE = PSEUDOCODE_JSON;
export const LOOKS = LOOKS_JSON;
