"use strict";

// The page asks the node as any client does: what an identity may not see or do, it cannot here.
const PERIOD = 2000;
const SECTIONS = ["overview", "tables", "observers", "groups", "jobs", "stores", "row"];

const byId = (id) => document.getElementById(id);
let token = "";
let paused = false;

function element(tag, options = {}, ...children) {
  const made = document.createElement(tag);
  for (const [key, value] of Object.entries(options)) {
    if (key === "click") made.addEventListener("click", value);
    else if (key === "class") made.className = value;
    else made.setAttribute(key, value);
  }
  made.append(...children.map((child) => (child instanceof Node ? child : String(child))));
  return made;
}

const cell = (text, kind = "") => element("td", kind ? { class: kind } : {}, text);

// What has not changed stays, and who goes through the page by keys keeps the place.
function replace(parent, parts) {
  const fresh = parts.map((part) => (part instanceof Node ? part : document.createTextNode(part)));
  const old = [...parent.childNodes];
  if (old.length === fresh.length && fresh.every((part, i) => part.isEqualNode(old[i]))) return;
  const key = (one) => one.dataset.key || one.getAttribute("href");
  const focused = parent.contains(document.activeElement) ? key(document.activeElement) : null;
  parent.replaceChildren(...fresh);
  const found = focused && [...parent.querySelectorAll("a, button")].find((one) => key(one) === focused);
  if (found) found.focus();
}

function number(value, digits = 0) {
  return Number(value || 0).toLocaleString("en", { maximumFractionDigits: digits });
}

function fill(body, rows, columns, none) {
  replace(body, rows.length ? rows : [element("tr", {}, element("td", { colspan: columns, class: "empty" }, none))]);
}

async function ask(method, path, body) {
  const headers = { "Content-Type": "application/json" };
  if (token) headers.Authorization = "Bearer " + token;
  const response = await fetch(path, { method, headers, body: body && JSON.stringify(body) });
  const answer = await response.json().catch(() => ({}));
  if (response.status === 401) {
    byId("login").hidden = false;
    if (document.activeElement === document.body) byId("token").focus();
  }
  if (!response.ok) throw new Error(answer.message || "The node answered " + response.status + ".");
  byId("login").hidden = true;
  return answer;
}

function say(text, bad = false) {
  const state = byId("state");
  state.textContent = text;
  state.classList.toggle("bad", bad);
}

// The browser tells of a dialog's end late: then the next question may stand there already.
function sure(text) {
  const dialog = byId("ask");
  byId("ask-text").textContent = text;
  dialog.showModal();
  return new Promise((done) => {
    dialog.onsubmit = (event) => done(event.submitter.value === "yes");
    dialog.onclose = () => dialog.open || done(false);
  });
}

// What was refused stays to be read until something else is done.
function refused(text) {
  byId("refused").hidden = !text;
  byId("refused-why").textContent = text;
}

async function change(method, path, body, question) {
  if (!(await sure(question))) return;
  refused("");
  try {
    await ask(method, path, body);
    say("done");
  } catch (failure) {
    refused(failure.message);
  }
  await refresh().catch(fail);
}

const action = (label, method, path, body, question) =>
  element("button", {
    type: "button",
    "data-key": label + " " + path,
    "data-does": JSON.stringify([method, body, question]),
    click: () => change(method, path, body, question),
  }, label);

// --- tables and rows ----------------------------------------------------------------------------

function tables(answer) {
  byId("table-names").replaceChildren(...answer.tables.map((t) => element("option", { value: t.table })));
  fill(
    byId("table-list").tBodies[0],
    answer.tables.map((t) =>
      element("tr", {},
        element("td", {}, element("a", { href: "#tables/" + encodeURIComponent(t.table) }, t.table)),
        cell(t.families.join(", ")), cell(t.protocol), cell(number(t.tablets), "n"))),
    4, "There is no table that you may read. Create one: PUT /v1/tables/NAME.");
}

const shown = (value) => (typeof value === "object" ? "base64 " + value.base64 : value);

async function rows(table, after = "", at = "") {
  const query = "?limit=50" + (after ? "&after=" + encodeURIComponent(after) + "&at=" + at : "");
  const page = await ask("GET", "/v1/tables/" + encodeURIComponent(table) + "/rows" + query);
  const body = element("tbody");
  fill(
    body,
    page.rows.flatMap((row) =>
      Object.entries(row.columns).map(([column, value], i) =>
        element("tr", {},
          element("td", { class: "code" },
            i ? "" : element("a", { href: "#row/" + encodeURIComponent(table) + "/" + encodeURIComponent(row.row) }, row.row)),
          cell(column, "code"), cell(shown(value).slice(0, 300), "code")))),
    3, "No rows.");
  const more = page.next
    ? [element("button", { type: "button", click: () => rows(table, page.next, page.at).catch(fail) }, "Next rows")]
    : [];
  byId("rows").replaceChildren(
    element("h3", {}, table + ", as of " + page.at),
    element("div", { class: "wide" },
      element("table", {},
        element("thead", {}, element("tr", {}, element("th", {}, "row"), element("th", {}, "column"), element("th", {}, "value"))),
        body)),
    ...more);
}

async function explain(table, key) {
  byId("row-table").value = table;
  byId("row-key").value = key;
  const answer = await ask("GET",
    "/v1/tables/" + encodeURIComponent(table) + "/rows/" + encodeURIComponent(key) + "/explanation");
  const body = element("tbody");
  fill(
    body,
    answer.facts.map((fact) =>
      element("tr", {},
        cell(fact.column || "whole row", "code"), cell(fact.kind, fact.kind === "intent" ? "bad" : ""),
        cell(fact.version, "code"), cell(fact.holds, "code"), cell(fact.meaning || fact.time))),
    5, "Nothing is there.");
  byId("explanation").replaceChildren(
    element("p", {}, "Written by " + answer.protocol + ", in tablet " + answer.tablet + "."),
    element("div", { class: "wide" },
      element("table", {},
        element("thead", {}, element("tr", {},
          ...["column", "cell", "version", "holds", "meaning"].map((h) => element("th", {}, h)))),
        body)));
}

// --- observers and stores -----------------------------------------------------------------------

function observers(answer) {
  fill(
    byId("observer-list").tBodies[0],
    answer.observers.map((o) => {
      const path = "/v1/observers/" + encodeURIComponent(o.observer) + "/";
      return element("tr", {},
        cell(o.observer), cell(o.table + " " + o.column, "code"),
        cell(o.paused ? "paused" : o.here ? "runs here" : "no code here", o.paused ? "bad" : ""),
        cell(number(o.pending), "n"), cell(o.pending ? number(o.oldest_pending_millis) + " ms" : "", "n"),
        element("td", { class: o.dead_letters ? "n bad" : "n" },
          o.dead_letters ? element("a", { href: "#observers/" + encodeURIComponent(o.observer) }, number(o.dead_letters)) : "0"),
        element("td", {},
          o.paused
            ? action("Resume", "POST", path + "resume", undefined, "Resume " + o.observer + "?")
            : action("Pause", "POST", path + "pause", undefined, "Pause " + o.observer + " in all processes?"),
          ...(o.dead_letters ? [action("Replay", "POST", path + "replay", undefined, "Make the dead-lettered changes of " + o.observer + " pending again?")] : [])));
    }),
    7, "No observer is registered; applications register them.");
}

async function deadLetters(observer) {
  const answer = await ask("GET", "/v1/observers/" + encodeURIComponent(observer) + "/dead-letters");
  const body = element("tbody");
  fill(
    body,
    answer.dead_letters.map((p) =>
      element("tr", {}, cell(p.table + "/" + p.row, "code"), cell(p.column, "code"), cell(p.attempts, "n"), cell(p.error))),
    4, "There are no dead letters.");
  byId("dead-letters").replaceChildren(
    element("h3", {}, "Dead letters of " + observer),
    element("table", {},
      element("thead", {}, element("tr", {},
        ...["row", "column", "attempts", "last error"].map((h) => element("th", {}, h)))),
      body));
}

// --- groups -------------------------------------------------------------------------------------

function groups(answer) {
  fill(
    byId("group-list").tBodies[0],
    answer.groups.map((g) => {
      const path = "/v1/groups/" + encodeURIComponent(g.group);
      return element("tr", {},
        cell(g.group),
        g.trouble
          ? cell(g.state + ", " + g.trouble, "bad")
          : cell(g.state + (g.node ? ", at " + g.node : g.here ? "" : ", led elsewhere") + (g.heard || g.state === "forming" ? "" : ", its leader does not answer"), g.state === "live" ? "good" : ""),
        element("td", { class: "code" },
          element("a", { href: "#row/" + encodeURIComponent(g.leader_table) + "/" + encodeURIComponent(g.leader_row) },
            g.leader_table + "/" + g.leader_row)),
        cell(number(g.members), "n"), cell(number(g.commits), "n"), cell(number(g.unshipped), "n"),
        element("td", {},
          action("Ship", "POST", path + "/ship", undefined, "Wait until all commits of " + g.group + " are in the store?"),
          action("Delete", "DELETE", path, undefined, "Delete " + g.group + "? Its commits go to the store, its rows are free then.")));
    }),
    7, "No key group is there. Create one: POST /v1/groups.");
}

async function stores() {
  const answer = await ask("GET", "/stores");
  const parts = [];
  for (const each of answer.stores) {
    const name = encodeURIComponent(each.store);
    const detail = await ask("GET", "/stores/" + name + "/versions");
    // What the page shows: a click on it does nothing once something else is live.
    const seen = { from: detail.live, flips: detail.flips };
    const body = element("tbody");
    fill(
      body,
      detail.versions.slice().reverse().map((v) => {
        const live = v.version === detail.live;
        const button = (label, verb, body, question) =>
          action(label, "POST", "/stores/" + name + "/" + verb, body, question);
        const what = "version " + v.version + " of " + each.store;
        let does = v.problem;
        const before = detail.versions.some((o) => o.version < detail.live && o.state !== "broken");
        if (live) does = before ? button("Roll back", "rollback", seen, "Make the version before " + what + " live again?") : "";
        else if (v.state === "rolled_back") {
          does = button("Swap in again", "swap", { version: v.version, flips: detail.flips, force: true },
            "Make " + what + " live again, which was gone back from (" + v.problem + ")?");
        } else if (v.state !== "broken") {
          does = v.version > detail.live
            ? button("Swap in", "swap", { version: v.version, flips: detail.flips }, "Make " + what + " live?")
            : button("Back to it", "rollback", { version: v.version, ...seen }, "Go back to " + what + "?");
        }
        return element("tr", {},
          cell(v.version, "n"), cell(live ? "live" : v.state === "rolled_back" ? "rolled back: " + v.problem : v.state, live ? "good" : v.state === "broken" ? "bad" : ""),
          cell(v.keys === undefined ? "" : number(v.keys), "n"), cell(v.pinned ? "pinned" : ""),
          element("td", {}, does));
      }),
      5, "No version is there.");
    parts.push(
      element("h3", {}, each.store),
      element("table", {},
        element("thead", {}, element("tr", {},
          element("th", { class: "n" }, "version"), element("th", {}, "state"),
          element("th", { class: "n" }, "keys"), element("th", {}, ""), element("th", {}, ""))),
        body));
  }
  replace(
    byId("store-list"),
    parts.length ? parts : [element("p", { class: "empty" }, "No stores are served here: 'braid store push' brings one.")]);
}

// --- going round --------------------------------------------------------------------------------

const place = () => location.hash.slice(1).split("/").map(decodeURIComponent);

function section() {
  const name = place()[0];
  return SECTIONS.includes(name) ? name : "overview";
}

function fail(failure) {
  say(failure.message, true);
}

async function refresh() {
  const now = section();
  const status = await ask("GET", "/v1/status");
  overview(status);
  if (now === "overview") collection(await ask("GET", "/v1/gc"));
  if (now === "tables" || now === "row") tables(await ask("GET", "/v1/tables"));
  if (now === "observers") observers(await ask("GET", "/v1/observers"));
  if (now === "groups") groups(await ask("GET", "/v1/groups"));
  if (now === "jobs" && jobs(await allJobs())) await again();
  if (now === "stores") await stores();
  const remark = (await ask("GET", "/readyz")).message;
  say((paused ? "paused, " : "") + "as of " + status.time.slice(11, 19) + " UTC"
    + (remark ? ". " + remark : ""), Boolean(remark));
}

async function allJobs() {
  const all = { jobs: [] };
  for (let page = { next: "" }; page.next !== undefined;) {
    page = await ask("GET", "/v1/jobs" + (page.next ? "?after=" + encodeURIComponent(page.next) : ""));
    all.jobs.push(...page.jobs);
  }
  return all;
}

async function show() {
  const [, first, second, ...rest] = place();
  const now = section();
  for (const name of SECTIONS) byId(name).hidden = name !== now;
  for (const link of document.querySelectorAll("nav a")) {
    if (link.hash === "#" + now) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
  if (now !== "jobs" || first !== looked.job) noJob();
  const { hash } = location;
  try {
    await refresh();
    if (hash !== location.hash) return;
    if (now === "tables" && first) await rows(first);
    if (now === "observers" && first) await deadLetters(first);
    if (now === "jobs" && first) await job(first, second, ...rest);
    if (now === "row" && first && second) await explain(first, second);
  } catch (failure) {
    fail(failure);
  }
}

byId("login").addEventListener("submit", (event) => {
  event.preventDefault();
  token = byId("token").value;
  byId("token").value = "";
  show();
});
byId("row-form").addEventListener("submit", (event) => {
  event.preventDefault();
  const hash = "#row/" + encodeURIComponent(byId("row-table").value) + "/" + encodeURIComponent(byId("row-key").value);
  if (location.hash === hash) show();
  else location.hash = hash;
});
for (const button of document.querySelectorAll("button[data-ask]")) {
  const [method, path] = button.dataset.ask.split(" ");
  button.addEventListener("click", () => change(method, path, undefined, button.dataset.sure));
}
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.target.matches("input") || byId("ask").open) return;
  const index = "1234567".indexOf(event.key);
  if (index >= 0) location.hash = "#" + SECTIONS[index];
  else if (event.key === "/") {
    event.preventDefault();
    location.hash = "#row";
    setTimeout(() => byId("row-key").focus());
  } else if (event.key === "p") {
    paused = !paused;
    say(paused ? "paused" : "going on");
  }
});
byId("refused-close").addEventListener("click", () => refused(""));
window.addEventListener("hashchange", () => {
  refused("");
  show();
});
setInterval(() => {
  if (!paused && !document.hidden && !byId("ask").open) refresh().catch(fail);
}, PERIOD);
show();
