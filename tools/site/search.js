// Search without a server: the index is a script, loaded when somebody begins to search.  An entry is
// [address, page, section, text]; all words of the query must occur, titles count most.
"use strict";

var searchIndex = null;

function searchScore(entry, words) {
  const page = entry[1].toLowerCase(), section = entry[2].toLowerCase(), text = entry[3].toLowerCase();
  let score = 0;
  for (const word of words) {
    const inText = text.includes(word);
    if (section === word) score += 100;
    else if (section.includes(word)) score += 30;
    else if (page.includes(word)) score += 10;
    else if (!inText) return 0;
    if (inText) score += Math.min(5, text.split(word).length - 1);
  }
  return score;
}

function search(index, query) {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return [];
  return index.map(entry => ({ entry, score: searchScore(entry, words) }))
    .filter(found => found.score > 0)
    .sort((a, b) => b.score - a.score)
    .slice(0, 20)
    .map(found => found.entry);
}

// Some words around the first place of the query's first word.
function searchExcerpt(text, query) {
  const word = query.toLowerCase().split(/\s+/).filter(Boolean)[0] || "";
  const from = text.toLowerCase().indexOf(word) - 40;
  const at = from > 0 ? text.indexOf(" ", from) + 1 : 0;
  return (at > 0 ? "… " : "") + text.slice(at, at + 140) + (at + 140 < text.length ? " …" : "");
}

if (typeof document !== "undefined") {
  const root = document.currentScript.dataset.root;
  const query = document.getElementById("query"), results = document.getElementById("search-results");
  let chosen = -1;

  const load = then => {
    if (searchIndex) return then();
    const script = document.createElement("script");
    script.src = root + "search-index.js";
    script.onload = then;
    document.head.append(script);
  };

  const choose = at => {
    const links = results.querySelectorAll("a");
    if (links.length === 0) return;
    chosen = (at + links.length) % links.length;
    links.forEach((link, i) => link.classList.toggle("chosen", i === chosen));
    links[chosen].scrollIntoView({ block: "nearest" });
  };

  const show = () => load(() => {
    const found = search(searchIndex, query.value);
    results.replaceChildren(...found.map(entry => {
      const item = document.createElement("li"), link = document.createElement("a");
      const small = document.createElement("small");
      link.href = root + entry[0];
      link.textContent = entry[2] ? entry[1] + " › " + entry[2] : entry[1];
      small.textContent = searchExcerpt(entry[3], query.value);
      link.append(small);
      item.append(link);
      return item;
    }));
    if (found.length === 0) {
      const item = document.createElement("li");
      item.className = "none";
      item.textContent = "Nothing found";
      results.append(item);
    }
    results.hidden = query.value.trim() === "";
    chosen = -1;
  });

  query.addEventListener("input", show);
  query.addEventListener("keydown", event => {
    if (event.key === "ArrowDown") choose(chosen + 1);
    else if (event.key === "ArrowUp") choose(chosen - 1);
    else if (event.key === "Enter") (results.querySelectorAll("a")[Math.max(chosen, 0)] || query).click();
    else if (event.key === "Escape") results.hidden = true;
    else return;
    event.preventDefault();
  });
  document.addEventListener("keydown", event => {
    if (event.key !== "/" || /input|textarea/i.test(event.target.tagName)) return;
    event.preventDefault();
    query.focus();
  });
  document.addEventListener("click", event => {
    if (!event.target.closest("form")) results.hidden = true;
  });
  if (window.innerWidth < 800) document.querySelector(".menu details").open = false;
  const asked = new URLSearchParams(location.search).get("q");
  if (asked) {
    query.value = asked;
    show();
  }
}
if (typeof module !== "undefined") module.exports = { search, searchExcerpt };
