/* <agent-player src="s01.json">: steps through a trace (course/trace/schema.json), script beside conversation.
   Without src it opens a file of the reader's own. What a trace holds becomes text, never markup. */

import { MAX_BYTES, read, soFar, Tape, TraceError } from "./player-trace.js";
import { said, wordsFor } from "./player-words.js";

const TRACES = new URL("../traces/", import.meta.url);
const STYLE = new URL("../css/player.css", import.meta.url);
const SHOWN_LINES = 400; // of a long script, on each side of the marked line
const SHOWN_MESSAGES = 40;
const SHOWN_ITEMS = 100; // of a list or object in JSON
const SHOWN_TEXT = 3000; // characters, until the reader asks for more
const SHOWN_OUTPUT = 20_000; // the end of what was printed
const PACE = { line: 420, other: 1300 }; // milliseconds a step stays when playing at 1×
const STILL = matchMedia("(prefers-reduced-motion: reduce)"); // a stream is then shown all at once
const CIRCLED = (number) => (number < 20 ? String.fromCodePoint(0x2460 + number) : `(${number + 1})`);

/** An element. Strings become text; `on` holds listeners; an attribute that is null or false is left out. */
function el(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  const { on = {}, ...rest } = attributes;
  for (const [name, value] of Object.entries(rest)) {
    if (value !== null && value !== false && value !== undefined) made.setAttribute(name, value === true ? "" : value);
  }
  for (const [name, listener] of Object.entries(on)) made.addEventListener(name, listener);
  made.append(...children.filter((child) => child !== null && child !== undefined && child !== false));
  return made;
}

const ICONS = {
  play: "M7 4v16l13-8z",
  pause: "M6 4h4v16H6zM14 4h4v16h-4z",
  nextStep: "M8 4l10 8-10 8z",
  previousStep: "M16 4v16L6 12z",
  nextTurn: "M4 4l8 8-8 8zM12 4l8 8-8 8z",
  previousTurn: "M20 4v16l-8-8zM12 4v16l-8-8z",
  link: "M10 14a4 4 0 0 0 6 .4l3-3a4 4 0 0 0-5.7-5.7l-1.5 1.5 1.4 1.4 1.5-1.5a2 2 0 0 1 2.9 2.9l-3 3a2 2 0 0 1-3-.2zM14 10a4 4 0 0 0-6-.4l-3 3a4 4 0 0 0 5.7 5.7l1.5-1.5-1.4-1.4-1.5 1.5a2 2 0 0 1-2.9-2.9l3-3a2 2 0 0 1 3 .2z",
  full: "M4 4h6v2H6v4H4zM14 4h6v6h-2V6h-4zM4 14h2v4h4v2H4zM18 14h2v6h-6v-2h4z",
};

function icon(name) {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  svg.setAttribute("viewBox", "0 0 24 24");
  svg.setAttribute("aria-hidden", "true");
  const path = document.createElementNS("http://www.w3.org/2000/svg", "path");
  path.setAttribute("d", ICONS[name]);
  svg.append(path);
  return svg;
}

/** JSON in one line; a word for what has none (too deep). */
function inline(value) {
  try {
    return JSON.stringify(value, null, 1).replace(/\n\s*/g, " ").replace(/([[{]) | (?=[\]}])/g, "$1");
  } catch {
    return "…";
  }
}

/** A tool result's content as text: itself, or its text blocks. */
function resultText(content) {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return content == null ? "" : inline(content);
  return content.map((block) => (typeof block?.text === "string" ? block.text : inline(block))).join("\n");
}

/** A name that may be broken after its underscores. */
const breakable = (name) => name.split(/(?<=_)/).flatMap((part) => [part, el("wbr")]);

const PYTHON = new RegExp(
  [
    String.raw`(?<string>[fFrRbBuU]{0,2}(?:"""[\s\S]*?"""|'''[\s\S]*?'''|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'))`,
    String.raw`(?<comment>#[^\n]*)`,
    String.raw`(?<=\b(?:def|class) )(?<name>\w+)`,
    String.raw`\b(?<keyword>and|as|assert|async|await|break|class|continue|def|del|elif|else|except|finally|for|from|global|if|import|in|is|lambda|None|True|False|nonlocal|not|or|pass|raise|return|try|while|with|yield)\b`,
    String.raw`\b(?<number>\d[\d_.]*)\b`,
  ].join("|"),
  "g",
);

/** Lines of Python as lists of [kind of token, text]. */
function coloured(source) {
  const lines = [[]];
  const add = (kind, text) => {
    text.split("\n").forEach((part, number) => {
      if (number) lines.push([]);
      if (part) lines.at(-1).push([kind, part]);
    });
  };
  let end = 0;
  for (const match of source.matchAll(PYTHON)) {
    add("", source.slice(end, match.index));
    add(Object.keys(match.groups).find((kind) => match.groups[kind] !== undefined), match[0]);
    end = match.index + match[0].length;
  }
  add("", source.slice(end));
  return lines;
}

class AgentPlayer extends HTMLElement {
  connectedCallback() {
    if (this.shadowRoot) return;
    this.words = wordsFor(this.closest("[lang]")?.lang);
    const root = this.attachShadow({ mode: "open" });
    this.stage = el("div", { class: "stage", hidden: true });
    this.fallback = el("slot");
    this.live = el("p", { class: "unseen", role: "status", "aria-live": "polite" });
    // Nothing is swapped before the style is there, so nothing jumps.
    const style = el("link", { rel: "stylesheet", href: STYLE.href });
    const styled = new Promise((done) => ["load", "error"].forEach((name) => style.addEventListener(name, done)));
    root.append(style, this.fallback, this.stage, this.live);
    this.addEventListener("keydown", (event) => this.key(event));
    document.addEventListener("fullscreenchange", () => this.nameFullScreen());
    // In panes of another size, the marked line and the newest message come into view again.
    new ResizeObserver(() => {
      if (!this.tape || this.stage.hidden) return;
      this.renderSource();
      for (const pane of [this.conversation, this.printed]) pane.scrollTop = pane.scrollHeight;
    }).observe(this.stage);
    if (!this.hasAttribute("src")) styled.then(() => this.offerFile());
    else this.whenNear(() => this.fetchTrace(styled));
  }

  /** Call `act` once the player is nearly in view, or the address names one of its steps. */
  whenNear(act) {
    const near = new IntersectionObserver((seen) => seen.some((each) => each.isIntersecting) && begin(), { rootMargin: "500px" });
    const named = () => this.stepInHash() !== null && begin();
    const begin = () => {
      near.disconnect();
      window.removeEventListener("hashchange", named);
      act();
    };
    near.observe(this);
    window.addEventListener("hashchange", named);
    named();
  }

  disconnectedCallback() {
    this.pause();
  }

  async fetchTrace(styled) {
    const address = new URL(this.getAttribute("src"), TRACES);
    const name = address.pathname.split("/").pop();
    try {
      const answer = await fetch(address);
      if (!answer.ok) throw new TraceError("notLoaded", { reason: answer.status });
      const trace = read(await answer.text());
      await styled;
      this.show(trace);
      window.addEventListener("hashchange", () => this.followHash());
      this.followHash();
    } catch (error) {
      await styled; // what the run prints stays below the sentence
      const problem = el("p", { class: "problem", role: "alert" }, this.sentence(error, name, "notLoaded"));
      this.fallback.before(problem);
      this.classList.add("failed");
    }
  }

  sentence(error, name, otherwise) {
    if (!(error instanceof TraceError)) return this.words(otherwise, { reason: error.message });
    return this.words(error.key, { name, ...error.values });
  }

  // --- a file of the reader's own ---

  offerFile() {
    const input = el("input", { type: "file", accept: ".json,application/json", on: { change: () => this.openFile(input.files[0]) } });
    this.trouble = el("p", { class: "problem", role: "alert", hidden: true });
    this.fileName = el("span", { class: "chosen" });
    const opener = el(
      "div",
      { class: "opener" },
      el("label", { class: "choose" }, input, el("span", {}, this.words("open"))),
      el("span", { class: "hint" }, this.words("drop")),
      this.fileName,
    );
    this.fallback.before(opener, this.trouble);
    this.fallback.hidden = true;
    const over = (event) => {
      event.preventDefault();
      this.toggleAttribute("dropping", event.type === "dragover");
    };
    for (const name of ["dragover", "dragleave", "drop"]) this.addEventListener(name, over);
    this.addEventListener("drop", (event) => this.openFile(event.dataTransfer.files[0]));
  }

  async openFile(file) {
    if (!file) return;
    this.pause();
    this.trouble.hidden = true;
    let trace;
    try {
      if (file.size > MAX_BYTES) throw new TraceError("tooLarge");
      trace = read(await file.text());
    } catch (error) {
      this.stage.hidden = true;
      this.fileName.textContent = "";
      this.trouble.textContent = this.sentence(error, file.name, "notRead");
      this.trouble.hidden = false;
      return;
    }
    this.fileName.textContent = file.name;
    this.show(trace);
  }

  // --- the stage, built once a trace ---

  show(trace) {
    this.tape = new Tape(trace);
    this.tokens = trace.source.length < 300_000 ? coloured(trace.source) : null;
    this.open = { request: new Set([""]), reply: new Set([""]) };
    this.shown = {}; // what each pane shows now, so that it is only built anew when it changes
    this.from = null; // the first message shown, if the reader asked for earlier ones
    const w = this.words;

    const button = (name, act) =>
      el("button", { type: "button", class: name, "aria-label": w(name), title: w(name), on: { click: act } }, icon(name));
    this.playButton = button("play", () => (this.timer ? this.pause() : this.play()));
    this.playButton.classList.add("main");
    this.fullButton = button("full", () => this.toggleFullScreen());
    this.speed = el(
      "select",
      { "aria-label": w("speed"), title: w("speed") },
      ...[1, 2, 4, 8].map((times) => el("option", { value: times }, `${times}×`)),
    );
    const toolbar = el(
      "div",
      { class: "toolbar", role: "group" },
      button("previousTurn", () => this.go(this.tape.previousTurn(this.now))),
      button("previousStep", () => this.go(this.now - 1)),
      this.playButton,
      button("nextStep", () => this.go(this.now + 1)),
      button("nextTurn", () => this.go(this.tape.nextTurn(this.now))),
      this.speed,
      this.id && this.hasAttribute("src") ? button("link", () => this.link()) : null,
      this.requestFullscreen ? this.fullButton : null,
    );
    const who = trace.answered_by === "stand-in" ? w("standIn") : said(trace.answered_by ?? "?");
    this.caption = el("p", { class: "caption" });
    const pane = (name, title = w(name)) => {
      this[name] = el("div", { class: `pane ${name}`, role: "group", tabindex: 0, "aria-label": title });
      const heading = el("p", { class: "name" }, title);
      this[name].heading = heading;
      return el("div", { class: `box box-${name}` }, heading, this[name]);
    };
    const keys = w("keysHow", { arrows: "\0←\0 \0→\0", shift: "\0Shift\0", ends: `\0${w("ends")}\0`, space: `\0${w("space")}\0` });
    this.stage.replaceChildren(
      el(
        "section",
        { class: "player", "aria-label": w("player", { name: trace.script }) },
        el(
          "div",
          { class: "deck" },
          el("div", { class: "top" }, el("p", { class: "title" }, el("b", {}, trace.script), " ", el("span", {}, w("answeredBy", { who }))), toolbar),
          this.timeLine(),
          this.caption,
        ),
        el(
          "div",
          { class: "panes" },
          pane("source"),
          pane("conversation"),
          pane("printed"),
          pane("request"),
          pane("reply"),
        ),
        el(
          "details",
          { class: "keys" },
          el("summary", {}, w("keys")),
          el("p", {}, ...keys.split("\0").map((part, n) => (n % 2 ? el("kbd", {}, part) : part))),
        ),
      ),
    );
    this.pairUp();
    this.stage.hidden = false;
    this.fallback.hidden = true;
    this.classList.add("loaded"); // not the attribute data-step: styles that name it would be worked out anew at each step
    this.go(this.tape.beginning, false);
  }

  timeLine() {
    const { tape } = this;
    const last = Math.max(1, tape.length - 1);
    const percent = (step) => `${(100 * step) / last}%`;
    const segments = tape.turns.map(({ number, start }, place) => {
      const end = tape.turns[place + 1]?.start ?? tape.length - 1;
      const label = number ? this.words("turn", { n: number }) : this.words("setup");
      const made = el("span", { class: "turn" }, el("span", { class: "long" }, label), number ? el("span", { class: "short" }, String(number)) : null);
      made.style.left = percent(start);
      made.style.width = percent(Math.max(0, end - start));
      return made;
    });
    const marks = [];
    for (const [n, step] of tape.trace.steps.entries()) {
      const bad =
        (step.kind === "raise" && step.caught !== true) ||
        (step.kind === "reply" && !tape.trace.exchanges[step.exchange].reply) ||
        (step.kind === "result" && tape.trace.calls[step.call].is_error);
      if (!(bad || step.kind === "messages") || marks.length > 300) continue;
      const mark = el("span", { class: bad ? "mark bad" : "mark" });
      mark.style.left = percent(n);
      marks.push(mark);
    }
    this.turnMarks = segments;
    this.range = el("input", {
      type: "range",
      min: 0,
      max: tape.length - 1,
      step: 1,
      "aria-label": this.words("timeLine"),
      on: { input: () => this.go(Number(this.range.value)) },
    });
    this.done = el("span", { class: "done" });
    return el("div", { class: "track" }, el("div", { class: "turns", "aria-hidden": "true" }, this.done, ...segments, ...marks), this.range);
  }

  // --- moving ---

  /** Show step n. `tell` says it to a screen reader too. */
  go(n, tell = true, playing = false) {
    if (!playing) this.pause();
    this.now = Math.min(Math.max(0, n), this.tape.length - 1);
    this.dataset.step = this.now;
    this.renderDeck(tell, playing);
    this.renderSource();
    this.keepFocus(this.conversation, () => this.renderConversation());
    this.renderPrinted();
    this.keepFocus(this.request, () => this.renderExchange());
  }

  play() {
    if (this.now === this.tape.length - 1) this.go(this.tape.beginning);
    const tick = () => {
      this.go(this.now + 1, true, true);
      if (this.now === this.tape.length - 1) return this.pause();
      if (this.tape.trace.steps[this.now].kind === "reply" && this.streams() && !STILL.matches) return this.playStream(() => (this.timer = setTimeout(tick, PACE.other / Number(this.speed.value))));
      const pace = this.tape.trace.steps[this.now].kind === "line" ? PACE.line : PACE.other;
      this.timer = setTimeout(tick, pace / Number(this.speed.value));
    };
    this.timer = setTimeout(tick, 0);
    this.namePlay("pause");
  }

  pause() {
    this.endStream();
    clearTimeout(this.timer);
    if (!this.timer) return;
    this.timer = 0;
    this.namePlay("play");
  }

  /** The exchange whose streamed reply is on show at this step, not in messages yet. */
  streams() {
    const { pending, exchange } = this.tape.at[this.now];
    const shown = this.tape.trace.exchanges[exchange];
    return pending && shown.pieces?.length ? shown : null;
  }

  /** Show the reply piece by piece, as it came; then call `after`. The whole reply is there again when it is ended. */
  playStream(after = () => {}) {
    const began = performance.now();
    const { pieces } = this.streams();
    const tick = () => {
      this.streamed = (performance.now() - began) * Number(this.speed.value);
      const last = this.streamed >= pieces.at(-1)[0];
      if (last) this.endStream();
      else {
        this.renderReply();
        this.stream = setTimeout(tick, 25);
      }
      if (last) after();
    };
    tick();
  }

  endStream() {
    if (this.streamed === undefined) return;
    clearTimeout(this.stream);
    this.streamed = undefined;
    this.renderReply();
  }

  namePlay(name) {
    this.playButton.setAttribute("aria-label", this.words(name));
    this.playButton.title = this.words(name);
    this.playButton.replaceChildren(icon(name));
  }

  key(event) {
    if (!this.tape || this.stage.hidden || event.altKey || event.ctrlKey || event.metaKey) return;
    const target = event.composedPath()[0];
    if (target.matches("select, input[type=file]")) return;
    const turn = event.shiftKey;
    const moves = {
      ArrowRight: () => this.go(turn ? this.tape.nextTurn(this.now) : this.now + 1),
      ArrowLeft: () => this.go(turn ? this.tape.previousTurn(this.now) : this.now - 1),
      Home: () => this.go(0),
      End: () => this.go(this.tape.length - 1),
      " ": () => (this.timer ? this.pause() : this.play()),
    };
    if (!(event.key in moves) || (event.key === " " && target.matches("button, summary"))) return;
    event.preventDefault();
    event.stopPropagation();
    moves[event.key]();
  }

  /** #play-s01:45 is step 45 (counted from 1) of the player with the id play-s01. */
  stepInHash() {
    const found = /^#([\w-]+):(\d+)$/.exec(location.hash);
    return found && this.id && found[1] === this.id ? Number(found[2]) - 1 : null;
  }

  followHash() {
    const step = this.stepInHash();
    if (step === null) return;
    this.go(step);
    this.scrollIntoView({ block: "start" });
  }

  async link() {
    history.replaceState(history.state, "", `#${this.id}:${this.now + 1}`);
    let said = "linked";
    try {
      await navigator.clipboard.writeText(location.href);
    } catch {
      said = "linkedOnly";
    }
    this.caption.textContent = this.words(said);
    this.say(this.words(said));
  }

  toggleFullScreen() {
    if (document.fullscreenElement === this) document.exitFullscreen();
    else this.requestFullscreen().catch(() => {});
  }

  nameFullScreen() {
    if (!this.fullButton) return;
    const name = this.words(document.fullscreenElement === this ? "close" : "full");
    this.fullButton.setAttribute("aria-label", name);
    this.fullButton.title = name;
  }

  say(text) {
    this.live.textContent = text;
  }

  // --- what stands where at this step ---

  /** What happens in step n, as a sentence. */
  happening(n) {
    const { trace } = this.tape;
    const step = trace.steps[n];
    const w = this.words;
    const lane = step.lane ? ` · ${w("lane", { lane: step.lane })}` : "";
    const called = trace.calls[step.call]?.name;
    switch (step.kind) {
      case "line":
        return (step.function && !step.function.startsWith("<") ? w("line", { line: step.line, name: step.function }) : w("lineTop", { line: step.line })) + lane;
      case "raise":
        return w(step.caught === true ? "caught" : "raise", { text: step.text }) + lane;
      case "messages": {
        const count = step.from + step.messages.length;
        return w(count === 1 ? "messagesOne" : "messages", { n: count });
      }
      case "call":
        return w("call", { name: called }) + lane;
      case "result":
        return w(trace.calls[step.call].is_error ? "resultError" : "result", { name: called }) + lane;
      case "request":
        return w("requestSent", { n: step.exchange + 1 });
      case "reply":
        return w("replyCame", { n: step.exchange + 1, reason: this.reason(trace.exchanges[step.exchange]) });
      default:
        return w(step.kind, { lines: step.lines });
    }
  }

  reason({ reply, error, status, complete }) {
    if (reply && !reply.stop_reason && Number.isInteger(reply.input_tokens)) return `input_tokens: ${reply.input_tokens}`; // counted
    if (reply && !reply.stop_reason && complete === false) return this.words("broken"); // in mid-stream
    return reply ? said(reply.stop_reason ?? status) : [status, error?.type].filter(Boolean).map(said).join(" ") || this.words("broken");
  }

  /** How the run ended, when the last step is on show. */
  ending() {
    const { end } = this.tape.trace;
    if (this.now < this.tape.length - 1) return "";
    const names = { exception: "endException", interrupted: "endInterrupted", killed: "endKilled", exit: "endExit" };
    return typeof end.how === "string" && Object.hasOwn(names, end.how) ? this.words(names[end.how], { status: end.status }) : "";
  }

  renderDeck(tell, playing) {
    const { tape, now } = this;
    const { turn } = tape.at[now];
    const place = this.words(turn ? "stepTurn" : "step", { n: now + 1, all: tape.length, turn });
    const what = this.happening(now);
    const ending = this.ending();
    const step = tape.trace.steps[now];
    const bad = (step.kind === "raise" && step.caught !== true) || ending || (step.kind === "reply" && !tape.trace.exchanges[step.exchange].reply);
    this.caption.replaceChildren(el("span", { class: "place" }, place), " ", el("span", { class: bad ? "what bad" : "what" }, [what, ending].filter(Boolean).join(" · ").slice(0, 300)));
    this.range.value = now;
    this.range.setAttribute("aria-valuetext", `${place}. ${what}`);
    this.done.style.width = `${(100 * now) / Math.max(1, tape.length - 1)}%`;
    this.turnMarks.forEach((mark, number) => mark.classList.toggle("current", number === turn));
    // The slider says its own value; while playing, lines would never stop talking.
    if (!tell || this.shadowRoot.activeElement === this.range || (playing && step.kind === "line")) return;
    const code = step.kind === "line" ? `: ${tape.lines[step.line - 1]?.trim() ?? ""}` : "";
    this.say(`${what}${code} ${ending}`.trim());
  }

  renderSource() {
    const { tape, source } = this;
    const { line, lane, running, others } = tape.marked(this.now);
    const step = tape.trace.steps[this.now];
    const raised = step.kind === "raise" && step.caught !== true;
    const all = tape.lines.length;
    if (!this.shown.lines || line < this.shown.lines.first + 1 || line > this.shown.lines.last) {
      const first = Math.max(0, Math.min(line - SHOWN_LINES, all - 2 * SHOWN_LINES));
      const last = Math.min(all, first + 2 * SHOWN_LINES);
      this.shown.lines = { first, last };
      const code = el("ol", { class: "code", start: first + 1 });
      for (let n = first; n < last; n++) code.append(this.codeLine(n));
      source.replaceChildren(
        ...(first ? [el("p", { class: "quiet" }, this.words("linesAbove", { n: first }))] : []),
        code,
        ...(last < all ? [el("p", { class: "quiet" }, this.words("linesBelow", { n: all - last }))] : []),
      );
    }
    for (const marked of source.querySelectorAll("[data-mark]")) {
      delete marked.dataset.mark;
      delete marked.dataset.lanes;
      marked.removeAttribute("aria-current");
    }
    const at = (number) => source.querySelector(`[data-line="${number}"]`);
    const lanes = new Map(); // line -> threads that are there
    for (const [other, place] of [...others, ...(lane && running ? [[lane, line]] : [])]) lanes.set(place, [...(lanes.get(place) ?? []), other]);
    for (const [place, list] of lanes) {
      if (!at(place)) continue;
      at(place).dataset.mark = "other";
      at(place).dataset.lanes = list.sort().map((number) => CIRCLED(number - 1)).join("");
    }
    const current = at(line);
    if (!current) return;
    current.dataset.mark = raised ? "raised" : "current";
    current.setAttribute("aria-current", "step");
    const top = current.offsetTop - source.offsetTop;
    const room = source.clientHeight;
    if (top < source.scrollTop + room * 0.15 || top + current.offsetHeight > source.scrollTop + room * 0.8) {
      source.scrollTop = top - room * 0.4;
    }
  }

  codeLine(n) {
    const tokens = this.tokens?.[n] ?? [["", this.tape.lines[n]]];
    const text = el("code");
    text.style.setProperty("--hang", `${/^ {0,40}/.exec(this.tape.lines[n])[0].length + 4}ch`);
    let left = SHOWN_TEXT;
    for (const [kind, part] of tokens) {
      if (left <= 0) break;
      text.append(kind ? el("span", { class: kind }, part.slice(0, left)) : part.slice(0, left));
      left -= part.length;
    }
    return el("li", { "data-line": n + 1 }, text);
  }

  renderConversation() {
    const { tape, conversation, now } = this;
    const state = tape.at[now];
    const exchange = tape.trace.exchanges[state.exchange];
    const calls = [tape.called, tape.ended].map((steps) => [...steps.values()].filter((step) => step <= now).length);
    const showsReply = state.pending;
    const showsError = state.replied && Boolean(exchange) && !exchange.reply;
    const all = tape.messages(now);
    const first = Math.min(this.from ?? Infinity, Math.max(0, all.length - SHOWN_MESSAGES));
    const key = [state.list?.step, state.exchange, showsReply, showsError, first, ...calls].join();
    if (this.shown.conversation === key) return;
    const grown = all.length !== this.shown.count || showsReply || showsError;
    this.shown.conversation = key;
    this.shown.count = all.length;
    const items = all.slice(first).map(({ message, step }, n) => this.message(message, first + n, step));
    if (showsReply) items.push(this.arriving(exchange));
    if (showsError) items.push(this.refusal(exchange));
    const earlier =
      first > 0 &&
      el(
        "button",
        {
          type: "button",
          class: "more",
          on: {
            click: () => {
              this.from = Math.max(0, first - SHOWN_MESSAGES);
              this.keepFocus(conversation, () => this.renderConversation());
            },
          },
        },
        this.words("earlier", { n: first }),
      );
    conversation.replaceChildren(
      ...(earlier ? [earlier] : []),
      ...(items.length ? [el("ol", { class: "messages" }, ...items)] : [el("p", { class: "quiet" }, this.words("empty"))]),
    );
    if (grown) {
      const newest = conversation.querySelector("ol > li:last-child");
      const room = conversation.clientHeight;
      if (newest) conversation.scrollTop = newest.offsetHeight > room ? newest.offsetTop - conversation.offsetTop : conversation.scrollHeight;
    }
  }

  /** A reply that is not in messages yet, and how long its stream took. */
  arriving(exchange) {
    const made = this.message(exchange.reply, null, null);
    if (!this.streams()) return made;
    const { pieces } = exchange;
    const words = this.words("streamed", { n: pieces.filter(([, , text]) => text).length, seconds: this.words.decimal(pieces.at(-1)[0] / 1000, 1) });
    const act = () => (this.streamed === undefined ? this.playStream() : this.pause());
    const button = !STILL.matches && el("button", { type: "button", class: "more", "data-key": "stream", on: { click: act } }, this.words("stream"));
    made.append(el("p", { class: "quiet stream" }, button, words));
    return made;
  }

  /** The pending reply as far as its stream has been played, or whole. The button stays: it may have the focus. */
  renderReply() {
    const below = this.conversation.querySelector(".stream");
    const exchange = this.streams();
    if (!below || !exchange) return;
    const playing = this.streamed !== undefined;
    while (below.previousSibling) below.previousSibling.remove();
    below.before(...this.message(playing ? soFar(exchange, this.streamed) : exchange.reply, null, null).childNodes);
    below.querySelector("button").textContent = this.words(playing ? "streamWhole" : "stream");
    this.conversation.scrollTop = this.conversation.scrollHeight;
  }

  message(message, n, step) {
    const role = typeof message.role === "string" ? message.role : "?";
    const head =
      step === null
        ? el("span", { class: "who" }, el("b", {}, role), " ", el("span", { class: "waiting" }, this.words("pending")))
        : el(
            "button",
            { type: "button", class: "who", "data-key": n, title: this.words("goTo", { n }), on: { click: () => this.go(step) } },
            el("code", {}, `[${n}]`),
            " ",
            el("b", {}, role),
            el("span", { class: "unseen" }, `. ${this.words("goTo", { n })}`),
          );
    const kinds = { user: "user", assistant: "assistant" };
    const made = el("li", { class: `message ${Object.hasOwn(kinds, role) ? kinds[role] : "other"}${step === null ? " pending" : ""}` }, head);
    const blocks = typeof message.content === "string" ? [{ type: "text", text: message.content }] : message.content;
    let side = null;
    const asked = Array.isArray(blocks) ? blocks.filter((block) => block?.type === "tool_use") : [];
    const inThreads = asked.filter((block) => this.tape.trace.calls[this.tape.byId.get(block.id)]?.lane > 0);
    for (const block of Array.isArray(blocks) ? blocks : [blocks]) {
      if (block?.type === "tool_use") {
        if (!side) {
          const how = inThreads.length > 1 ? "parallel" : "together";
          if (asked.length > 1) made.append(el("p", { class: "quiet" }, this.words(how, { n: asked.length })));
          made.append((side = el("div", { class: "calls" })));
        }
        side.append(this.call(block));
      } else made.append(this.block(block));
    }
    return made;
  }

  block(block) {
    if (block?.type === "text" && typeof block.text === "string") return this.text("p", "text", block.text);
    if (block?.type === "thinking") {
      const thought = block.thinking || this.words("hidden");
      return this.text("p", "quiet thought", `${this.words("thinking")}: ${typeof thought === "string" ? thought : inline(thought)}`);
    }
    if (block?.type === "tool_result") {
      const number = this.tape.byId.get(block.tool_use_id);
      const known = number !== undefined;
      const bad = block.is_error === true;
      return el(
        "div",
        { class: `result${bad || !known ? " bad" : ""}`, "data-call": number },
        el(
          "p",
          { class: "label" },
          el("b", { class: "badge" }, known ? CIRCLED(number) : "?"),
          " ",
          known ? this.words("answers", { name: this.tape.trace.calls[number].name }) : this.words("answersNothing"),
          bad ? el("b", { class: "flag" }, ` · ${this.words("failed")}`) : null,
          el("code", { class: "id" }, said(block.tool_use_id).slice(0, 60)),
        ),
        this.text("p", "text mono", resultText(block.content)),
      );
    }
    return this.text("p", "text mono", inline(block) ?? "");
  }

  call(block) {
    const { tape, now } = this;
    const number = tape.byId.get(block.id);
    const call = tape.trace.calls[number];
    const begun = tape.called.get(number) <= now;
    const done = tape.ended.get(number) <= now;
    const bad = done && call.is_error;
    const took = done ? this.duration(call.seconds) : "";
    return el(
      "div",
      { class: `call${bad ? " bad" : ""}`, "data-call": number, "data-state": done ? "done" : begun ? "running" : "asked" },
      el(
        "p",
        { class: "label" },
        el("b", { class: "badge" }, number === undefined ? "?" : CIRCLED(number)),
        " ",
        el("b", {}, ...breakable(said(block.name))),
        " ",
        el("span", { class: bad ? "state flag" : "state" }, [bad ? this.words("failed") : "", done ? took : this.words(begun ? "running" : "asked")].filter(Boolean).join(" · ")),
        el("code", { class: "id" }, said(block.id).slice(0, 60)),
      ),
      this.text("p", "text mono", (typeof block.partial_json === "string" ? block.partial_json : inline(block.input)) ?? ""), // the former of a call that was cut
      done && call.result !== null ? this.text("p", "text mono outcome", `→ ${resultText(call.result)}`) : null,
    );
  }

  /** Seconds in words. A masked trace has whole ones only. */
  duration(seconds) {
    if (typeof seconds !== "number") return "";
    if (this.tape.trace.masked) return seconds < 1 ? this.words("lessThan") : `${Math.round(seconds)} s`;
    return seconds < 1 ? `${Math.round(seconds * 1000)} ms` : `${this.words.decimal(seconds, 1)} s`;
  }

  refusal(exchange) {
    const { error, text, status } = exchange;
    return el(
      "li",
      { class: "message refusal" },
      el("span", { class: "who" }, el("b", {}, this.words(status ? "apiError" : "broken")), ` ${[status, error?.type].filter(Boolean).map(said).join(" ")}`),
      this.text("p", "text", said(error?.message ?? text ?? "")),
    );
  }

  /** Text of any length in an element: the beginning, and a button for the rest. */
  text(tag, kind, text) {
    const made = el(tag, { class: kind }, text.slice(0, SHOWN_TEXT));
    if (text.length <= SHOWN_TEXT) return made;
    const more = el(
      "button",
      {
        type: "button",
        class: "more",
        on: {
          click: () => {
            const here = Number(more.dataset.shown ?? SHOWN_TEXT);
            const end = Math.min(text.length, here + 20 * SHOWN_TEXT);
            more.before(text.slice(here, end));
            more.dataset.shown = end;
            if (end === text.length) more.remove();
            else more.textContent = this.words("more", { n: text.length - end });
          },
        },
      },
      this.words("more", { n: text.length - SHOWN_TEXT }),
    );
    made.append(more);
    return made;
  }

  renderPrinted() {
    const { tape, printed } = this;
    const count = tape.at[this.now].prints;
    if (this.shown.prints === count) return;
    this.shown.prints = count;
    const parts = [];
    let left = SHOWN_OUTPUT;
    for (let n = count - 1; n >= 0 && left > 0; n--) {
      const step = tape.trace.steps[tape.prints[n]];
      parts.unshift(el("span", { class: step.stream === "stderr" ? "stderr" : null }, step.text.slice(-left)));
      left -= step.text.length;
    }
    if (left < 0) parts.unshift("…\n");
    printed.replaceChildren(parts.length ? el("pre", {}, ...parts) : el("p", { class: "quiet" }, this.words("nothing")));
    printed.scrollTop = printed.scrollHeight;
  }

  renderExchange() {
    const { exchange: number, replied } = this.tape.at[this.now];
    const key = `${number} ${replied}`;
    if (this.shown.exchange === key) return;
    this.shown.exchange = key;
    const exchange = this.tape.trace.exchanges[number];
    const fill = (name, there, facts, body, otherwise) => {
      this[name].heading.textContent = this.words(name) + (there ? ` ${number + 1}` : "");
      this[name].replaceChildren(...(there ? [el("p", { class: "facts" }, facts.map(said).join(" · ")), this.tree(name, body)] : [el("p", { class: "quiet" }, this.words(otherwise))]));
    };
    fill("request", exchange, [`POST ${said(exchange?.path ?? "")}`], exchange?.request, "noRequest");
    fill("reply", replied, replied && this.facts(number), exchange?.reply ?? exchange?.error ?? exchange?.text, "noReply");
  }

  /** Status, reason, tokens and cost of an answer, and what all cost so far. */
  facts(number) {
    const exchange = this.tape.trace.exchanges[number];
    const { tokens, cost_usd: cost, status, reply } = exchange;
    const facts = reply && status ? [status, this.reason(exchange)] : [this.reason(exchange)];
    const count = (number) => (typeof number === "number" ? number : 0);
    if (tokens) {
      const [read, written] = [count(tokens.cache_read), count(tokens.cache_write)];
      facts.push(this.words("tokens", { in: count(tokens.input) + read + written, out: count(tokens.output) }));
      if (read || written) facts.push(this.words("cached", { read, written }));
    }
    if (typeof cost === "number") {
      const sum = this.tape.trace.exchanges.slice(0, number + 1).reduce((all, each) => all + count(each.cost_usd), 0);
      facts.push(this.words("cost", { usd: this.words.decimal(cost, 4), sum: this.words.decimal(sum, 4) }));
    }
    return facts;
  }

  // --- JSON that folds; what is folded is not built ---

  tree(pane, value, key = null, path = "") {
    const label = key === null ? [] : [el("span", { class: "key" }, key), ": "];
    if (typeof value !== "object" || value === null) {
      const text = JSON.stringify(value) ?? "null";
      const shown = this.text("span", `value ${typeof value}`, text);
      return el("div", { class: "leaf" }, ...label, shown);
    }
    const entries = Object.entries(value);
    const isOpen = this.open[pane].has(path);
    const kids = el("div", { class: "kids" });
    const details = el("details", { open: isOpen }, el("summary", {}, ...label, el("span", { class: "peek" }, peek(value))), kids);
    const build = () => {
      if (kids.childElementCount) return;
      const add = (start) => {
        for (const [name, item] of entries.slice(start, start + SHOWN_ITEMS)) kids.append(this.tree(pane, item, name, `${path}/${name}`));
        const rest = entries.length - start - SHOWN_ITEMS;
        if (rest <= 0) return;
        const more = el("button", { type: "button", class: "more" }, this.words("moreItems", { n: Math.min(rest, SHOWN_ITEMS) }));
        more.addEventListener("click", () => (more.remove(), add(start + SHOWN_ITEMS)));
        kids.append(more);
      };
      add(0);
    };
    if (isOpen) build();
    details.addEventListener("toggle", () => {
      this.open[pane][details.open ? "add" : "delete"](path);
      if (details.open) build();
    });
    return details;
  }

  // --- small helpers ---

  /** Whatever is built anew inside a pane, the focus stays on the same thing, or else on the pane. */
  keepFocus(pane, render) {
    const had = this.shadowRoot.activeElement;
    const inside = had && had !== pane && pane.contains(had);
    render();
    if (!inside || had.isConnected) return;
    (pane.querySelector(`[data-key="${had.dataset.key}"]`) ?? pane).focus({ preventScroll: true });
  }

  /** A call and its result light up together. */
  pairUp() {
    const mark = (event) => {
      const number = event.type.endsWith("out") ? undefined : event.target.closest("[data-call]")?.dataset.call;
      for (const each of this.conversation.querySelectorAll("[data-call]")) each.classList.toggle("pair", each.dataset.call === number);
    };
    for (const name of ["pointerover", "pointerout"]) this.conversation.addEventListener(name, mark);
  }
}

/** What a folded object or list is, in a few words. */
function peek(value) {
  if (Array.isArray(value)) return `[${value.length}]`;
  const telling = ["role", "type", "name"].filter((key) => typeof value[key] === "string").map((key) => `${key}: ${value[key].slice(0, 40)}`);
  const keys = Object.keys(value);
  const shown = telling.length ? telling : keys.slice(0, 4).map((key) => key.slice(0, 40));
  return `{${shown.join(", ")}${keys.length > shown.length ? ", …" : ""}}`;
}

customElements.define("agent-player", AgentPlayer);
