"use strict";

// Loads: what they have done, attempt by attempt, what they could not do, and decisions about it.
const ATTEMPTS = 20;
const ENTRIES = 50;
const LONGEST = 2000;
const LOGS = {
  detailed: {
    name: "Records not written",
    none: "Every record was written.",
    columns: ["why", "trying again", "tries", "file", "at byte", "detail"],
    kinds: ["", "", "n", "code", "n", "code"],
    row: (e) => [e.code, e.permanent ? "of no use" : "may succeed", number(e.tries), e.file, number(e.offset), e.detail],
  },
  "short-circuit": {
    name: "Tasks ended early",
    none: "No task ended since too many of its records failed.",
    columns: ["task", "file", "from byte", "to byte", "records read", "why"],
    kinds: ["n", "code", "n", "n", "n", "why"],
    row: (e) => [e.task, e.file, number(e.from), number(e.to), number(e.read), e.why],
  },
  unread: {
    name: "Input not read",
    none: "All input could be read.",
    columns: ["task", "file", "from byte", "to byte", "read up to", "tries", "why"],
    kinds: ["n", "code", "n", "n", "n", "n", "why"],
    row: (e) => [e.task, e.file, number(e.from), number(e.to), number(e.at), number(e.tries), e.why],
  },
};
const ENDS = { done: "good", incomplete: "bad", failed: "bad", interrupted: "bad" };

// Which job is looked at, and which of its logs; each list holds the beginnings of the pages before.
const looked = { job: "", log: "detailed", round: "", attempt: "", seen: "", attempts: [""], entries: [""] };

// What others wrote into a log may look like anything but itself.
function plain(value) {
  const text = String(value === undefined ? "" : value).replace(
    /[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g,
    (c) => "\\u{" + c.charCodeAt(0).toString(16) + "}");
  return shortened(text, LONGEST);
}

const shortened = (text, most) => (text.length > most ? text.slice(0, most) + "…" : text);

const jobPath = (id) => "/v1/jobs/" + encodeURIComponent(id);
const jobHash = (...parts) => "#jobs/" + parts.map((part) => encodeURIComponent(part)).join("/");
const moment = (time) => (time ? time.slice(0, 19).replace("T", " ") : "not noted");
const records = (count) => number(count) + (count === 1 ? " record" : " records");
const remaining = (counts) => counts.rejected + counts.left;

function duration(from, to) {
  if (!from || !to) return "";
  const seconds = Math.max(0, (Date.parse(to) - Date.parse(from)) / 1000);
  if (seconds < 120) return number(seconds, 1) + " s";
  return seconds < 7200 ? number(seconds / 60, 1) + " min" : number(seconds / 3600, 1) + " h";
}

function progress(load) {
  const now = load.progress;
  if (!now) return shortened(plain(load.message), 160);
  return now.phase + ": " + number(now.done) + (now.records ? " of " + number(now.records) : "") + ", "
    + number(now.per_second) + " a second"
    + (now.seconds_left === undefined ? "" : ", " + number(now.seconds_left) + " s left");
}

// --- what can be done ---------------------------------------------------------------------------

const whole = (j) =>
  j.atomic ? " If none remains after that, all of it becomes visible in " + j.table + " at once." : "";
const QUESTIONS = {
  resume: (j) =>
    j.state === "staged"
      ? "Go on with the commit of " + j.job + "? " + records(j.counts.written) + " become visible in " + j.table
        + " at once, for everybody" + without(j) + "."
      : "Resume " + j.job + "? It does the " + number(j.tasks_open) + " of " + number(j.tasks)
        + " tasks that are not done." + (j.atomic ? whole(j) : " What it writes is visible in " + j.table + " at once."),
  retry: (j) =>
    "Retry " + j.job + "? It tries the " + records(remaining(j.counts)) + " again that were not written."
    + (j.atomic ? whole(j) : " Those that succeed are visible in " + j.table + " at once."),
  commit: (j) =>
    "Commit " + j.job + "? " + records(j.counts.written) + " become visible in " + j.table
    + " at once, for everybody" + without(j) + ". This cannot be taken back.",
  cancel: (j) =>
    j.atomic
      ? "Abort " + j.job + "? The " + records(j.counts.written) + " that it wrote are given up: nobody will have seen any of them in "
        + j.table + "."
      : "Cancel " + j.job + "? The " + records(j.counts.written) + " that it wrote stay in " + j.table
        + "; what is not done will not be done.",
};

function without(j) {
  const left = remaining(j.counts);
  return left
    ? ", without the " + records(left) + " that were not written (" + number(j.counts.rejected) + " rejected, "
      + number(j.counts.left) + " left)"
    : "";
}

function label(j, step) {
  if (step === "cancel") return j.atomic ? "Abort" : "Cancel";
  if (step === "resume" && j.state === "staged") return "Resume commit";
  return step[0].toUpperCase() + step.slice(1);
}

// A commit that was begun is resumed: to commit it once more is the same.
function steps(j) {
  return j.may
    .filter((step) => !(step === "commit" && j.may.includes("resume")))
    .map((step) =>
      action(label(j, step), step === "cancel" ? "DELETE" : "POST",
        jobPath(j.job) + (step === "cancel" ? "" : "/" + step), undefined, QUESTIONS[step](j)));
}

// --- the list -----------------------------------------------------------------------------------

const stateOf = (j) => (j.waits ? "waits for a decision" : j.state);
const kindOf = (j) => (j.state === "done" ? "good" : j.working || j.state === "made" ? "" : "bad");

function jobs(answer) {
  fill(
    byId("job-list").tBodies[0],
    answer.jobs.map((j) => {
      const link = element("a", { href: jobHash(j.job) }, j.job);
      if (j.job === looked.job) link.setAttribute("aria-current", "true");
      return element("tr", {},
        element("td", { class: "name" }, link),
        cell(j.table, "name"), cell(stateOf(j), kindOf(j)), cell(j.atomic ? "all at once" : "one by one", "line"),
        cell(number(j.tasks_open) + " of " + number(j.tasks), "n"), cell(number(j.counts.read), "n"),
        cell(number(j.counts.written), "n"), cell(number(remaining(j.counts)), remaining(j.counts) ? "n bad" : "n"),
        cell(progress(j), "remark"), element("td", {}, ...steps(j)));
    }),
    10, "No load was begun here that you may see. Begin one: PUT /v1/jobs/ID.");
  // Of one that is looked at the rest is asked for again when it has changed.
  const now = JSON.stringify(answer.jobs.find((j) => j.job === looked.job) || "");
  const changed = looked.job && looked.seen !== now;
  looked.seen = now;
  return changed;
}

// --- one of them --------------------------------------------------------------------------------

function fact(name, ...what) {
  return [element("dt", {}, name), element("dd", {}, ...what)];
}

function head(j) {
  const counts = j.counts;
  const inputs = j.inputs.slice(0, 5).map((input) => element("code", {}, plain(input)));
  replace(byId("job-name"), [j.job]);
  replace(byId("job-facts"), [
    ...fact("state", element("span", { class: kindOf(j) }, stateOf(j))),
    ...(j.message ? fact("message", plain(j.message)) : []),
    ...(j.progress ? fact("progress", progress(j)) : []),
    ...fact("table", j.table),
    ...fact("visible", j.atomic ? "all at once, when it is committed" : "each record as soon as it is written"),
    ...fact("begun", moment(j.created) + " UTC"),
    ...fact("input", ...inputs.flatMap((input, i) => (i ? [", ", input] : [input])),
      j.inputs.length > 5 ? " and " + number(j.inputs.length - 5) + " more" : ""),
    ...fact("record counts", "read " + number(counts.read) + " = written " + number(counts.written) + " + kept " + number(counts.kept)
      + " + duplicates " + number(counts.duplicates) + " + rejected " + number(counts.rejected) + " + left " + number(counts.left)
      + (counts.balanced || j.working ? "" : ": they do not add up")),
  ]);
  const decide = byId("job-decide");
  decide.hidden = !j.waits;
  decide.textContent = !j.waits ? "" : "All input was read, and " + records(remaining(counts)) + " were not written: "
    + number(counts.rejected) + " can never be, as they are, " + number(counts.left) + " may yet succeed. "
    + (j.atomic ? "Nobody sees any of the load before it is committed." : "The others are visible.")
    + (j.may.length ? "" : " To decide takes the role write on " + j.table + ".");
  replace(byId("job-actions"), steps(j));
}

function count(value, one, log, attempt) {
  const link = jobHash(looked.job, log, attempt.round, attempt.attempt);
  return value ? [", ", element("a", { href: link }, number(value) + " " + one)] : [];
}

function attemptRow(a) {
  const counts = a.counts;
  const missing = remaining(counts);
  const log = element("a", { href: jobHash(looked.job, "detailed", a.round, a.attempt) }, "log");
  return element("tr", {},
    cell(a.round + "." + a.attempt, "n"), cell(moment(a.begun), "line"), cell(duration(a.begun, a.ended), "n"),
    cell(a.end, ENDS[a.end] || ""),
    element("td", { class: "line" }, number(a.tasks_done) + " done",
      ...count(a.short_circuited, "ended early", "short-circuit", a), ...count(a.unread, "not read", "unread", a)),
    cell(number(counts.read), "n"), cell(number(counts.written), "n"),
    cell(number(counts.rejected), counts.rejected ? "n bad" : "n"), cell(number(counts.left), counts.left ? "n bad" : "n"),
    element("td", {}, missing || a.end !== "done" ? log : ""), cell(plain(a.why), "why"));
}

// Goes on to the next page, and back: one page is held at a time.
function pager(id, list, next, show) {
  const places = looked[list];
  const button = (text, move) =>
    element("button", {
      type: "button",
      "data-key": id + text,
      "data-does": next || "",
      click: () => {
        move(looked[list]);
        show().catch(fail);
      },
    }, text);
  replace(byId(id), [
    ...(places.length > 1 ? [button("Back", (now) => now.length > 1 && now.pop())] : []),
    ...(next ? [button("Next", (now) => now.at(-1) === next || now.push(next))] : []),
    ...(places.length > 1 || next ? [element("span", { class: "remark" }, "page " + places.length)] : []),
  ]);
}

const query = (values) =>
  "?" + Object.entries(values).filter(([, v]) => v !== "").map(([k, v]) => k + "=" + encodeURIComponent(v)).join("&");

// An answer that comes late is no answer to what is looked at now.
async function attempts() {
  const { job, attempts: places } = looked;
  const after = places.at(-1);
  const page = await ask("GET", jobPath(job) + "/attempts" + query({ limit: ATTEMPTS, after }));
  if (places !== looked.attempts || after !== places.at(-1)) return;
  fill(byId("attempt-list").tBodies[0], page.attempts.map(attemptRow), 11, "No attempt was begun.");
  pager("attempt-pages", "attempts", page.next, attempts);
}

async function entries() {
  const { job, log, round, attempt, entries: places } = looked;
  const after = places.at(-1);
  const page = await ask("GET",
    jobPath(job) + "/logs/" + log + query({ round, attempt, limit: ENTRIES, after }));
  if (places !== looked.entries || after !== places.at(-1)) return;
  const shape = LOGS[log];
  byId("log-name").textContent = shape.name + (page.attempt ? ", attempt " + page.round + "." + page.attempt : ", all of round " + page.round);
  replace(byId("log-kinds"), Object.entries(LOGS).map(([each, { name }]) => {
    const parts = attempt === "" ? [] : [round, attempt];
    const link = element("a", { href: jobHash(job, each, ...parts) }, name);
    if (each === log) link.setAttribute("aria-current", "page");
    return link;
  }));
  const list = byId("log-list");
  replace(list.tHead.rows[0], shape.columns.map((column, i) => element("th", { class: shape.kinds[i] }, column)));
  fill(
    list.tBodies[0],
    page.entries.map((e) =>
      element("tr", {}, ...shape.row(e).map((value, i) => cell(plain(value), shape.kinds[i])))),
    shape.columns.length, shape.none);
  pager("log-pages", "entries", page.next, entries);
}

async function again() {
  const { job } = looked;
  const answer = await ask("GET", jobPath(job));
  if (job !== looked.job) return;
  head(answer);
  await attempts();
  await entries();
}

async function job(id, log = "detailed", round = "", attempt = "") {
  const other = id !== looked.job;
  if (other) Object.assign(looked, { job: id, seen: "", attempts: [""] });
  Object.assign(looked, { log: LOGS[log] ? log : "detailed", round, attempt, entries: [""] });
  try {
    if (other) byId("job").hidden = true;
    await again();
  } catch (failure) {
    if (id === looked.job) {
      noJob();
      refused(failure.message);
    }
    return;
  }
  if (id !== looked.job) return;
  byId("job").hidden = false;
  byId(other ? "job-name" : "log-name").scrollIntoView({ block: "start" });
}

function noJob() {
  looked.job = "";
  byId("job").hidden = true;
}
