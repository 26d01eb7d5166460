"use strict";

// What the node does: counts, and how they have run since the page was opened.
const KEPT = 150;
const MEANINGS = {
  committed: "done",
  conflict: "others were first; to be run again",
  condition: "an expectation did not hold, or a limit was reached",
  unknown: "the answer of the store was lost; to be asked for",
  failed: "refused, or the store did not answer",
};

let last = null;
let history = [];

const commits = (s) =>
  s.transactions.one_phase + s.transactions.two_phase + (s.transactions.omid_commits || 0);
const conflicts = (s) => s.transactions.conflicts + (s.transactions.omid_conflicts || 0);

// Nothing lately is not the same as no time at all.
function millis(value) {
  return value ? number(value, 2) : "–";
}

function tile(value, label, warn = false) {
  return element("div", { class: warn ? "tile warn" : "tile" }, element("b", {}, value), element("span", {}, label));
}

function overview(status) {
  const time = Date.parse(status.time);
  const before = last;
  last = { time, status };
  const seconds = before ? Math.max(0.001, (time - before.time) / 1000) : 0;
  const rate = (of) => (seconds ? Math.max(0, (of(status) - of(before.status)) / seconds) : 0);
  const committed = status.gateway.committed;
  if (before) {
    history.push({ rate: rate(commits), p50: committed.p50_millis || 0, p99: committed.p99_millis || 0 });
    history = history.slice(-KEPT);
  }
  const perCommit = rate(commits) + rate(conflicts);
  byId("tiles").replaceChildren(
    tile(number(rate(commits), 1), "commits a second"),
    tile(perCommit ? number((100 * rate(conflicts)) / perCommit, 1) + " %" : "–", "conflicts"),
    tile(number(status.transactions.unknown), "unknown outcomes", status.transactions.unknown > 0),
    tile(number(status.transactions.open), "open transactions"),
    tile(number(status.observers.pending), "rows wait for observers"),
    tile(number(status.observers.lag_p99_millis) + " ms", "observer lag, p99"),
    tile(number(status.observers.dead_letters), "dead letters", status.observers.dead_letters > 0));
  byId("manager").textContent = manager(status.coordinator);
  draw("chart-rate", [["one", history.map((h) => h.rate)]]);
  draw("chart-latency", [["one", history.map((h) => h.p50)], ["two", history.map((h) => h.p99)]]);
  fill(
    byId("outcomes").tBodies[0],
    Object.entries(status.gateway).map(([outcome, t]) =>
      element("tr", {},
        cell(outcome), cell(number(t.count), "n"),
        cell(number(rate((s) => s.gateway[outcome].count), 1), "n"),
        cell(millis(t.p50_millis), "n"), cell(millis(t.p99_millis), "n"),
        cell(MEANINGS[outcome] || "", "remark"))),
    6, "Nothing yet.");
}

// The leader, and the standbys.
function manager(coordinator) {
  const names = coordinator.names || [];
  const figures = Object.entries(coordinator.figures).map(([name, value]) => name.replace("_", " ") + " " + number(value));
  return [
    coordinator.here ? "This process is the leader." : coordinator.answers ? "Another process is the leader." : "No leader answers.",
    coordinator.processes > 1 ? coordinator.processes + " processes share the database: " + names.join(", ") + "." : "There is no standby.",
    figures.length ? "Since it became the leader: " + figures.join(", ") + "." : "",
  ].join(" ");
}

function draw(id, series) {
  const svg = byId(id);
  const most = Math.max(1e-9, ...series.flatMap(([, values]) => values));
  const top = Math.pow(10, Math.ceil(Math.log10(most)));
  const scale = [top / 5, top / 2, top].find((s) => s >= most) || top;
  svg.setAttribute("viewBox", "0 0 " + (KEPT - 1) + " 100");
  svg.setAttribute("preserveAspectRatio", "none");
  const parts = [0, 50, 100].map((y) => make("line", { class: "grid", x1: 0, x2: KEPT - 1, y1: y, y2: y }));
  for (const [kind, values] of series) {
    const from = KEPT - values.length;
    const points = values.map((v, i) => (from + i) + "," + (100 - (96 * v) / scale).toFixed(2));
    parts.push(make("polyline", { class: kind, points: points.join(" ") }));
  }
  svg.replaceChildren(...parts);
  const caption = svg.parentElement.querySelector("figcaption");
  let label = caption.querySelector(".scale");
  if (!label) caption.append((label = element("span", { class: "scale" })));
  label.textContent = "to " + number(scale, 2);
}

function make(tag, attributes) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  return made;
}

function collection(gc) {
  const end = gc.last
    ? "The last one removed " + number(gc.last.removed) + " cells (" + number(gc.last.bytes) + " bytes) in "
      + number(gc.last.millis) + " ms."
    : "None has ended in this process.";
  byId("gc").textContent =
    (gc.running ? "A collection is running. " : "") + end
    + (gc.watermark === "0" ? "" : " Snapshots are readable from " + gc.readable_from + " on.");
}
