/* A trace, read with care (it may be anybody's file) and made quick to look up step by step. No page in here. */

import { said } from "./player-words.js";

const FORMAT = "agent-loop-trace";
const VERSION = 1;
export const MAX_BYTES = 100_000_000;

/** What is wrong with a file: `key` names a sentence of player-words.js, `values` fill it in. */
export class TraceError extends Error {
  constructor(key, values = {}) {
    super(key);
    this.key = key;
    this.values = values;
  }
}

/** The trace in a file's text. Throws TraceError. */
export function read(text) {
  let trace;
  try {
    trace = JSON.parse(text.replace(/^\uFEFF/, ""));
  } catch {
    throw new TraceError("notJson");
  }
  if (!isObject(trace) || trace.format !== FORMAT) throw new TraceError("foreign");
  if (!Number.isInteger(trace.version) || trace.version < 1) throw new TraceError("damaged", { place: "version" });
  if (trace.version > VERSION) throw new TraceError("newer", { theirs: trace.version, ours: VERSION });
  const place = problem(trace);
  if (place) throw new TraceError("damaged", { place });
  if (!trace.steps.length) throw new TraceError("nothingRecorded");
  return trace;
}

const isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value);
const isPlace = (value, list) => Number.isInteger(value) && value >= 0 && value < list.length;
const isCount = (value) => Number.isInteger(value) && value >= 0;
const isText = (value) => typeof value === "string";

const arePieces = (value) => Array.isArray(value) && value.every((piece) => Array.isArray(piece) && piece.length === 3 && isCount(piece[0]) && isCount(piece[1]) && isText(piece[2]));

/** The first place at which the trace is not as course/trace/schema.json says and the player would stumble, or null. */
function problem(trace) {
  if (!isText(trace.source)) return "source";
  if (!isText(trace.script)) return "script";
  if (!isObject(trace.end)) return "end";
  for (const name of ["steps", "exchanges", "calls"]) {
    if (!Array.isArray(trace[name])) return name;
    const bad = trace[name].findIndex((item) => !isObject(item));
    if (bad >= 0) return `${name}[${bad}]`;
  }
  for (const [n, { reply, error, pieces }] of trace.exchanges.entries()) {
    if (reply != null && !isObject(reply)) return `exchanges[${n}].reply`;
    if (error != null && !isObject(error)) return `exchanges[${n}].error`;
    if (pieces !== undefined && !arePieces(pieces)) return `exchanges[${n}].pieces`;
  }
  for (const [n, call] of trace.calls.entries()) {
    if (!isText(call.name)) return `calls[${n}].name`;
    if (!isPlace(call.exchange, trace.exchanges)) return `calls[${n}].exchange`;
  }
  let length = 0; // of the list `messages`
  for (const [n, step] of trace.steps.entries()) {
    if (step.lane !== undefined && !(Number.isInteger(step.lane) && step.lane >= 0)) return `steps[${n}].lane`;
    switch (step.kind) {
      case "line":
      case "raise":
        if (!Number.isInteger(step.line) || step.line < 1) return `steps[${n}].line`;
        if (step.kind === "raise" && !isText(step.text)) return `steps[${n}].text`;
        break;
      case "messages":
        if (!Number.isInteger(step.from) || step.from < 0 || step.from > length) return `steps[${n}].from`;
        if (!Array.isArray(step.messages) || !step.messages.every(isObject)) return `steps[${n}].messages`;
        length = step.from + step.messages.length;
        break;
      case "print":
        if (!isText(step.text)) return `steps[${n}].text`;
        break;
      case "call":
      case "result":
        if (!isPlace(step.call, trace.calls)) return `steps[${n}].call`;
        break;
      case "request":
      case "reply":
        if (!isPlace(step.exchange, trace.exchanges)) return `steps[${n}].exchange`;
        break;
      case "cut":
        break;
      default:
        return `steps[${n}].kind`;
    }
  }
  return null;
}

/** A streamed reply as far as it had come after so many milliseconds. */
export function soFar({ reply, pieces }, milliseconds) {
  const texts = [];
  for (const [at, block, text] of pieces) if (at <= milliseconds) texts[block] = (texts[block] ?? "") + text;
  const content = Array.isArray(reply.content) ? reply.content.slice(0, texts.length) : [];
  const grown = (block) => (block?.type === "text" || block?.type === "thinking" ? block.type : "partial_json");
  return { ...reply, content: content.map((block, n) => ({ ...block, [grown(block)]: texts[n] ?? "" })) };
}

/** Looks up what is true at a step. One pass over the trace, then every step costs the same. */
export class Tape {
  constructor(trace) {
    this.trace = trace;
    this.lines = trace.source.split("\n");
    this.length = trace.steps.length;
    this.turns = [{ number: 0, start: 0 }]; // turn 0 is what comes before the first request
    this.prints = []; // the steps that print
    this.keepsMessages = trace.steps.some((step) => step.kind === "messages");
    this.called = new Map(); // number of a call -> the step at which it begins
    this.ended = new Map(); //                   ... at which its result is there
    this.byId = new Map(trace.calls.map((call, number) => [call.id, number]));
    this.at = []; // for each step, what holds once it has happened
    const counts = (step) => said(trace.exchanges[step.exchange].path).includes("count_tokens"); // tokens, which is no turn
    let again = false; // the turn's request was answered by an error: the next one is the same turn, tried again
    let now = { turn: 0, exchange: -1, replied: false, pending: false, prints: 0, list: null, lines: new Map() };
    for (const [n, step] of trace.steps.entries()) {
      now = { ...now };
      const lane = step.lane ?? 0;
      if (step.kind === "line" || step.kind === "raise") now.lines = new Map(now.lines).set(lane, step.line);
      else if (step.kind === "call") this.called.set(step.call, n);
      else if (step.kind === "result") {
        this.ended.set(step.call, n);
        if (lane) (now.lines = new Map(now.lines)).delete(lane);
      } else if (step.kind === "print") now.prints = this.prints.push(n);
      else if (step.kind === "messages") {
        now.list = { before: now.list, from: step.from, messages: step.messages, step: n };
        now.pending = false;
      } else if (step.kind === "request") {
        if (!counts(step) && (!again || now.turn === 0)) {
          now.turn = this.turns.length;
          this.turns.push({ number: now.turn, start: n });
        }
        Object.assign(now, { exchange: step.exchange, replied: false, pending: false });
      } else if (step.kind === "reply") {
        const answered = Boolean(trace.exchanges[step.exchange].reply);
        if (!counts(step)) again = !answered;
        Object.assign(now, { exchange: step.exchange, replied: true, pending: answered && !counts(step) });
      }
      this.at.push(now);
    }
  }

  /** The step to begin with: the script's first in a function. Definitions come before, and can be stepped back to. */
  get beginning() {
    const first = this.trace.steps.findIndex((step) => step.kind === "line" && !step.function?.startsWith("<"));
    return Math.max(0, first);
  }

  /** The marked line at step n (0: none yet), and the lines of other threads that are at work: [[lane, line], …]. */
  marked(n) {
    const { lines } = this.at[n];
    const lane = this.trace.steps[n].lane ?? 0;
    const others = [...lines].filter(([other, line]) => other && other !== lane && line);
    return { line: lines.get(lane) ?? lines.get(0) ?? 0, lane, running: lines.has(lane), others };
  }

  /** The list `messages` at step n: [{message, step at which it came}, …]. */
  messages(n) {
    const { list, exchange } = this.at[n];
    if (!this.keepsMessages) {
      // The script calls its list otherwise: what was sent last is the best that we know.
      const step = exchange < 0 ? 0 : this.turns[this.at[n].turn].start;
      const sent = this.trace.exchanges[exchange]?.request?.messages;
      return (Array.isArray(sent) ? sent : []).filter(isObject).map((message) => ({ message, step }));
    }
    const found = [];
    let end = Infinity; // places from here on are settled
    for (let part = list; part; part = part.before) {
      for (let k = Math.min(part.messages.length, end - part.from) - 1; k >= 0; k--) {
        found.push({ message: part.messages[k], step: part.step });
      }
      end = Math.min(end, part.from);
    }
    return found.reverse();
  }

  /** The step at which the next turn begins (or the last step), and the one at which this or the last turn began. */
  nextTurn(n) {
    return (this.turns.find((turn) => turn.start > n) ?? { start: this.length - 1 }).start;
  }
  previousTurn(n) {
    return (this.turns.findLast((turn) => turn.start < n) ?? { start: 0 }).start;
  }
}
