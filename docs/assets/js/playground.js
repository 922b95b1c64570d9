/* Runs a lesson in the page. What is exchanged with the worker is described in course/playground/__init__.py. */
const WORDS = {
  en: {
    run: "Run here", again: "Run again", stop: "Stop", reset: "Reset", download: "Download", code: "Code of the script",
    prompt: "Your prompt (empty: the script's own)", output: "Output", about: "Loads some 25 MB once. Nothing is sent.",
    loading: "Loading: {0} of {1} MB", python: "Starting Python", sdk: "Importing the SDK", running: "Running",
    done: "Ended with exit status {0}", stopped: "Stopped", failed: "The playground cannot run here. Reload the page to try again, or run the script in a terminal. Reason: ",
  },
  zh: {
    run: "在这里运行", again: "再运行一次", stop: "停止", reset: "还原", download: "下载", code: "脚本代码",
    prompt: "你的提示词（留空则用脚本自带的）", output: "输出", about: "首次加载约 25 MB。不会发送任何数据。",
    loading: "正在加载：{0} / {1} MB", python: "正在启动 Python", sdk: "正在导入 SDK", running: "正在运行",
    done: "已结束，退出状态 {0}", stopped: "已停止", failed: "演练场无法在这里运行。请重新加载页面再试，或在终端里运行脚本。原因：",
  },
  de: {
    run: "Hier ausführen", again: "Noch einmal ausführen", stop: "Anhalten", reset: "Zurücksetzen", download: "Herunterladen", code: "Code des Skripts",
    prompt: "Dein Prompt (leer: der des Skripts)", output: "Ausgabe", about: "Lädt einmal rund 25 MB. Nichts wird gesendet.",
    loading: "Lädt: {0} von {1} MB", python: "Python startet", sdk: "Das SDK wird importiert", running: "Läuft",
    done: "Beendet, Exit-Status {0}", stopped: "Angehalten", failed: "Hier läuft der Spielplatz nicht. Lade die Seite neu oder führe das Skript in einem Terminal aus. Grund: ",
  },
};
const STYLE = `
  :host { display: block; margin: 1em 0; font: inherit; color: inherit; }
  button, input, textarea { font: inherit; color: inherit; background: transparent; border: 1px solid currentColor; border-radius: .2rem; padding: .3em .7em; }
  button:disabled { opacity: .5; }
  label { display: block; margin: .5em 0; }
  input, textarea { display: block; box-sizing: border-box; width: 100%; }
  textarea, pre { font-family: var(--md-code-font-family, monospace); font-size: .85em; }
  textarea { height: 20em; white-space: pre; overflow: auto; tab-size: 4; }
  pre { max-height: 24em; overflow: auto; white-space: pre-wrap; overflow-wrap: anywhere; padding: .7em; margin: .5em 0; background: var(--md-code-bg-color); color: var(--md-code-fg-color); }
  pre:empty { display: none; }`;
const ASSETS = new URL("../playground/", import.meta.url);
const fill = (text, ...values) => text.replace(/\{(\d)\}/g, (_, at) => values[at]);

/** Local storage, which may be forbidden: an edit is then kept until the page is left. */
const store = {
  get(key) { try { return localStorage.getItem(key); } catch { return null; } },
  set(key, value) { try { value === null ? localStorage.removeItem(key) : localStorage.setItem(key, value); } catch { /* see above */ } },
};

class AgentPlayground extends HTMLElement {
  connectedCallback() {
    if (this.shadowRoot) return;
    this.words = WORDS[this.lang] ?? WORDS.en;
    this.script = this.getAttribute("script");
    this.key = `playground:${this.script}`;
    this.original = new TextDecoder().decode(Uint8Array.from(atob(this.getAttribute("source")), sign => sign.charCodeAt(0)));
    const { words } = this;
    this.attachShadow({ mode: "open" }).innerHTML = `<style>${STYLE}</style>
      <button class="run">${words.run}</button> <button class="stop" disabled>${words.stop}</button>
      <span class="state" role="status">${words.about}</span>
      <label>${words.prompt}<input class="prompt"></label>
      <details><summary>${words.code}</summary><textarea spellcheck="false" autocapitalize="off" aria-label="${words.code}"></textarea>
      <button class="reset">${words.reset}</button> <button class="download">${words.download}</button></details>
      <pre class="output" tabindex="0" role="log" aria-label="${words.output}"></pre>`;
    for (const name of ["run", "stop", "reset", "download", "state", "prompt", "output"]) this[`$${name}`] = this.shadowRoot.querySelector(`.${name}`);
    this.$code = this.shadowRoot.querySelector("textarea");
    this.$code.value = store.get(this.key) ?? this.original;
    this.$code.oninput = () => store.set(this.key, this.$code.value === this.original ? null : this.$code.value);
    this.$run.onclick = () => this.run();
    this.$stop.onclick = () => this.stop(words.stopped);
    this.$reset.onclick = () => { this.$code.value = this.original; store.set(this.key, null); };
    this.$download.onclick = () => this.download();
  }

  run() {
    if (!this.worker) {
      this.worker = new Worker(new URL("worker.js", ASSETS), { type: "module" });
      this.worker.onmessage = ({ data }) => this.hear(data);
      this.worker.onerror = error => this.hear({ failed: error.message ?? "" });
    }
    this.$output.textContent = "";
    this.say(this.words.running, true);
    const prompt = this.$prompt.value.trim();
    this.worker.postMessage({ path: this.script, source: this.$code.value, args: prompt ? [prompt] : [] });
  }

  stop(why) {
    this.worker?.terminate();
    this.worker = null;
    this.say(why, false);
  }

  hear({ loaded, total, step, out, err, done, failed }) {
    const { words } = this;
    const mega = bytes => (bytes / 1e6).toFixed(1);
    if (loaded !== undefined) this.say(fill(words.loading, mega(loaded), mega(total)), true);
    else if (step) this.say(words[step], true);
    else if (failed !== undefined) this.stop(words.failed + failed);
    else if (done !== undefined) { this.say(fill(words.done, done), false); this.$run.textContent = words.again; }
    else { this.$state.textContent = words.running; this.$output.append(out ?? err); this.$output.scrollTop = this.$output.scrollHeight; }
  }

  say(text, busy) {
    this.$state.textContent = text;
    this.$run.disabled = busy;
    this.$stop.disabled = !busy;
  }

  download() {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([this.$code.value], { type: "text/x-python" }));
    link.download = this.script;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  }
}

customElements.define("agent-playground", AgentPlayground);
