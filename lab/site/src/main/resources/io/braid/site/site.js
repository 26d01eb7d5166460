// The box for searching. Without scripts the pages lack it and nothing else.
(function () {
  "use strict";
  var box = document.getElementById("search");
  var found = document.getElementById("found");
  var root = box.dataset.root;
  var asked = false;
  box.hidden = false;

  function load() {
    if (asked) return;
    asked = true;
    var script = document.createElement("script");
    script.src = root + "search.js";
    script.onload = search;
    document.head.appendChild(script);
  }

  // How well a part answers: words in headings count most; every word must occur.
  function score(part, words) {
    var title = part[1].toLowerCase(), heading = part[2].toLowerCase(), text = part[3].toLowerCase();
    var sum = text.includes(words.join(" ")) || heading.includes(words.join(" ")) ? 5 : 0;
    for (var i = 0; i < words.length; i++) {
      var own = (heading.includes(words[i]) ? 8 : 0) + (title.includes(words[i]) ? 4 : 0) + (text.includes(words[i]) ? 1 : 0);
      if (own === 0) return 0;
      sum += own;
    }
    return sum;
  }

  function around(text, word) {
    var at = text.toLowerCase().indexOf(word);
    var from = Math.max(0, at - 50);
    return (from > 0 ? "… " : "") + text.slice(from, from + 150) + (from + 150 < text.length ? " …" : "");
  }

  function item(part, words) {
    var link = document.createElement("a");
    link.href = root + part[0];
    var head = document.createElement("b");
    head.textContent = part[2] === part[1] ? part[1] : part[1] + " › " + part[2];
    var line = document.createElement("span");
    line.textContent = around(part[3], words[0]);
    link.append(head, line);
    var entry = document.createElement("li");
    entry.append(link);
    return entry;
  }

  function search() {
    var words = box.value.toLowerCase().split(/\s+/).filter(Boolean);
    found.replaceChildren();
    found.hidden = words.length === 0;
    if (words.length === 0 || !window.braidSearch) return;
    var hits = window.braidSearch
      .map(function (part) { return [score(part, words), part]; })
      .filter(function (hit) { return hit[0] > 0; })
      .sort(function (a, b) { return b[0] - a[0]; })
      .slice(0, 15);
    hits.forEach(function (hit) { found.append(item(hit[1], words)); });
    if (hits.length === 0) {
      var none = document.createElement("li");
      none.className = "none";
      none.textContent = "No page has all of these words.";
      found.append(none);
    }
  }

  function step(by) {
    var all = Array.from(found.querySelectorAll("a"));
    var at = all.indexOf(document.activeElement) + by;
    if (at < 0) box.focus();
    else if (at < all.length) all[at].focus();
  }

  box.addEventListener("focus", load);
  box.addEventListener("input", search);
  document.addEventListener("keydown", function (event) {
    var inside = event.target === box || found.contains(event.target);
    if (event.key === "/" && !inside && !event.ctrlKey && !event.metaKey && !event.altKey) {
      event.preventDefault();
      box.focus();
    } else if (inside && event.key === "Escape") {
      box.value = "";
      search();
      box.blur();
    } else if (inside && event.key === "ArrowDown") {
      event.preventDefault();
      step(1);
    } else if (inside && event.key === "ArrowUp") {
      event.preventDefault();
      step(-1);
    } else if (event.target === box && event.key === "Enter") {
      var first = found.querySelector("a");
      if (first) first.click();
    }
  });
  document.addEventListener("click", function (event) {
    if (event.target !== box && !found.contains(event.target)) found.hidden = true;
  });
})();
