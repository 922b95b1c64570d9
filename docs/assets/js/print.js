/* On paper: each link gets a number, and its address stands at the end; so do the answers of a lesson's quiz.
   All of it is made when the page is loaded, before the theme takes the notes on code apart, and shown by print.css. */
(function () {
  "use strict";
  var WORDS = {
    en: { links: "Links", answers: "Answers", here: "Addresses without https:// are pages of this course." },
    zh: { links: "链接", answers: "答案", here: "没有 https:// 的地址是本课程的页面。" },
    de: { links: "Links", answers: "Antworten", here: "Adressen ohne https:// sind Seiten dieses Kurses." },
  };
  var NOT_PRINTED = "agent-player, .on-screen, .md-button, details.tip, #quiz ~ details, .sheet";
  var words = WORDS[document.documentElement.lang.slice(0, 2)] || WORDS.en;
  var root = new URL("../../", document.currentScript.src).href;
  var page = document.querySelector(".md-content__inner");

  function add(parent, tag, text) {
    var made = document.createElement(tag);
    made.className = "on-paper";
    made.textContent = text;
    parent.append(made);
    return made;
  }

  /* The letter of each answer, and what is said about it. */
  function quiz() {
    var end = document.createElement("div");
    page.querySelectorAll("#quiz ~ details").forEach(function (details) {
      var letter = details.querySelector("summary").textContent.trim().slice(0, 2);
      if (!end.firstChild) add(end, "h2", words.answers);
      details.querySelectorAll(":scope > :not(summary)").forEach(function (part, index) {
        var copy = part.cloneNode(true);
        copy.classList.add("on-paper");
        if (index === 0) copy.prepend(letter + " ");
        end.append(copy);
      });
    });
    return end;
  }

  function links() {
    var list = document.createElement("ol"), numbers = new Map();
    list.className = "on-paper links";
    page.querySelectorAll("a[href]:not(svg a)").forEach(function (link) {
      var here = link.href.split("#")[0] === location.href.split("#")[0];
      if (here || link.textContent === link.href || link.closest(NOT_PRINTED)) return;
      var where = link.href.startsWith(root) ? link.href.slice(root.length) || "./" : decodeURI(link.href);
      if (!numbers.has(where)) {
        numbers.set(where, numbers.size + 1);
        list.append(Object.assign(document.createElement("li"), { textContent: where }));
      }
      var mark = document.createElement("sup");
      mark.className = "on-paper";
      mark.textContent = numbers.get(where);
      link.after(mark);
    });
    return list;
  }

  if (page) {
    var answers = quiz();
    page.append(answers);
    var list = links();
    if (list.firstChild) {
      var end = document.createElement("div");
      add(end, "h2", words.links);
      add(end, "p", words.here);
      end.append(list);
      answers.before(end);
    }
  }

  /* What is folded is open on paper, and folded again afterwards. */
  var opened = [];
  window.addEventListener("beforeprint", function () {
    document.querySelectorAll("details:not([open])").forEach(function (details) {
      details.open = true;
      opened.push(details);
    });
  });
  window.addEventListener("afterprint", function () {
    opened.splice(0).forEach(function (details) { details.open = false; });
  });
})();
