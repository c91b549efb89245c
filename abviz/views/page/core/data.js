// The texts and the looks that the page shares with Python.

import SENTENCES_JSON from "../../../tracing/sentences.json" with { type: "json" };
import PSEUDOCODE_JSON from "../../../tracing/pseudocode.json" with { type: "json" };
import LOOKS_JSON from "../looks.json" with { type: "json" };

export const SENTENCES = SENTENCES_JSON;
export const PSEUDOCODE = PSEUDOCODE_JSON;
export const LOOKS = LOOKS_JSON;
