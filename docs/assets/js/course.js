/* Small cures for what the theme leaves open. The pages read well without this file. */
(function () {
  "use strict";
  var language = document.documentElement.lang.slice(0, 2);

  /* The language switch keeps the section: anchors are the same in all languages. */
  document.addEventListener("click", function (event) {
    var link = event.target.closest && event.target.closest("a[hreflang].md-select__link");
    if (link && location.hash) link.hash = location.hash;
  });

  /* Code annotations are links without a name: give each one. */
  var words = { zh: "注释", de: "Anmerkung" };
  function nameAnnotations() {
    document.querySelectorAll(".md-annotation__index:not([aria-label])").forEach(function (link) {
      var number = link.querySelector("[data-md-annotation-id]");
      link.setAttribute("aria-label", (words[language] || "Note") + " " + (number ? number.dataset.mdAnnotationId : ""));
    });
  }
  if (window.component$) window.component$.subscribe(nameAnnotations);
  else nameAnnotations();

  /* The button of the playground; what it runs is loaded on a click. */
  if (document.querySelector("agent-playground")) {
    import(new URL("playground.js", document.currentScript.src).href).catch(function () {});
  }
  /* The player comes when it is nearly in view, or when the address names one of its steps. */
  var player = new URL("player.js", document.currentScript.src).href;
  function loadPlayer() {
    near.disconnect();
    import(player).catch(function () {
      document.querySelectorAll("agent-player").forEach(function (each) { each.classList.add("failed"); });
    });
  }
  var near = new IntersectionObserver(function (seen) {
    if (seen.some(function (each) { return each.isIntersecting; })) loadPlayer();
  }, { rootMargin: "500px" });
  document.querySelectorAll("agent-player").forEach(function (each) { near.observe(each); });
  function followStep() { if (/^#play-[\w-]+:\d+$/.test(location.hash)) loadPlayer(); }
  window.addEventListener("hashchange", followStep);
  followStep();
})();
