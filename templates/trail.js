"use strict";
// The page of `hsfpy trail --html`. Position 0 is the initial state, position i the state behind step i.
// Only what is visible is drawn: rows and arrows are made again whenever the list scrolls.

const run = JSON.parse(document.getElementById("data").textContent);
const $ = (id) => document.getElementById(id);
const ROW = 24, LEFT = 72, MORE_ROWS = 12, MOST_VALUES = 400;

// Names for the positions in the rows that page.py writes.
const actors = (step) => [step[0], step[1]].filter(Boolean).map(
  ([pid, name, text, file, line, last]) => ({ pid, name: run.texts[name], text: run.texts[text], file, line, last }));
const noteOf = (step) => (step[2] === null ? "" : run.texts[step[2]]);
const faultOf = (step) => (step[3] === null ? "" : run.texts[step[3]]);
const arrows = run.arrows.map(([sent, from, received, to, label, copied]) =>
  ({ sent, from, received, to, label: run.texts[label], copied: Boolean(copied) }));
const lifelines = run.lifelines.map(([pid, title, colour, spans]) => ({ pid, title, colour, spans }));
const total = run.steps.length;

function element(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...children);
  return made;
}

function drawn(tag, attributes) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  return made;
}

// ---- states: kept as one table of values that moves with the position

const values = new Array(run.paths.length).fill(null);
const standing = new Map(); // where each process stands: its name, file and line
let here = 0;

// Each change, and each move of a process, gets what was before it, so that the table can move in both directions.
function prepareChanges() {
  for (const [path, value] of run.initial) values[path] = value;
  for (const [pid, ...place] of run.standing) standing.set(pid, place);
  const now = values.slice(), at = new Map(standing);
  for (const step of run.steps) {
    for (const change of step[4]) {
      change.push(now[change[0]]);
      now[change[0]] = change[1];
    }
    step[5] = step[5].map(([pid, ...place]) => [pid, place, at.get(pid)]);
    for (const [pid, place] of step[5]) at.set(pid, place);
  }
}

const put = (pid, place) => (place ? standing.set(pid, place) : standing.delete(pid));

function moveValues(to) {
  for (; here < to; here++) {
    for (const [path, after] of run.steps[here][4]) values[path] = after;
    for (const [pid, place] of run.steps[here][5]) put(pid, place);
  }
  for (; here > to; here--) {
    const changes = run.steps[here - 1][4];
    for (let i = changes.length - 1; i >= 0; i--) values[changes[i][0]] = changes[i][2];
    for (const [pid, , before] of run.steps[here - 1][5]) put(pid, before);
  }
}

// ---- the chart's columns

const columns = new Map();
const columnWidth = Math.max(16, Math.min(96, Math.floor(420 / Math.max(1, lifelines.length))));
const chartWidth = LEFT + columnWidth * lifelines.length + 12;
lifelines.forEach((line, i) => columns.set(line.pid, LEFT + columnWidth * i + columnWidth / 2));
const colourOf = new Map(lifelines.map((line) => [line.pid, line.colour]));

// Where names do not fit, the number is what tells processes apart.
function shortTitle(line) {
  const letters = Math.floor((columnWidth - 4) / 8), number = `(${line.pid})`;
  if (columnWidth < 40) return String(line.pid);
  if (line.title.length <= letters || !line.title.endsWith(number)) return line.title;
  return line.title.slice(0, Math.max(1, letters - number.length)) + number;
}

function showHeads() {
  for (const line of lifelines) {
    const title = line.pid >= 0 ? shortTitle(line) : line.title;
    const head = element("span", { title: line.title }, title);
    head.style.cssText = `left:${columns.get(line.pid)}px;color:${line.colour};max-width:${columnWidth - 4}px`;
    if (columnWidth < 40) head.style.cssText += ";font-size:10px;text-overflow:clip;max-width:none";
    $("heads").append(head);
  }
}

const middle = (position) => position * ROW + ROW / 2;

function lifelinePaths(first, last) {
  const out = [];
  for (const line of lifelines)
    for (const [from, to] of line.spans) {
      const top = Math.max(from, first), bottom = Math.min(to, last);
      if (top > bottom) continue;
      const ends = to < total && bottom === to;
      const start = top === from ? middle(top) : top * ROW;
      const stop = ends ? middle(to + 1) : (bottom + 1) * ROW;
      const x = columns.get(line.pid);
      out.push(drawn("path", { d: `M${x},${start}V${stop}${ends ? `M${x - 5},${stop}h10` : ""}`,
                               stroke: line.colour, class: "life" }));
    }
  return out;
}

function arrowPaths(arrow) {
  const x = columns.get(arrow.from), y = middle(arrow.sent);
  const touches = arrow.sent === here || arrow.received === here;
  const kind = `message${arrow.copied ? " copied" : ""}${touches ? "" : " faint"}`;
  if (arrow.received === null)
    return [drawn("path", { d: `M${x},${y}h14`, class: `${kind} pending` }),
            drawn("circle", { cx: x + 18, cy: y, r: 3.5, class: kind })];
  const x2 = columns.get(arrow.to), y2 = middle(arrow.received);
  const curve = x === x2 ? `C${x + 26},${y} ${x2 + 26},${y2} ${x2},${y2}` : `L${x2},${y2}`;
  const angle = x === x2 ? Math.PI : Math.atan2(y2 - y, x2 - x);
  const tip = (back, turn) => `${x2 - back * Math.cos(angle + turn)},${y2 - back * Math.sin(angle + turn)}`;
  return [drawn("path", { d: `M${x},${y}${curve}`, class: kind }),
          drawn("path", { d: `M${tip(4, 0)}L${tip(12, 0.3)} ${tip(12, -0.3)}z`, class: touches ? "tip" : "tip faint" })];
}

function cyclePath(first, last) {
  if (run.cycle === null || run.cycle >= total || last <= run.cycle) return [];
  const top = Math.max(middle(run.cycle + 1), (first - 1) * ROW), bottom = Math.min(middle(total), (last + 2) * ROW);
  const begins = top === middle(run.cycle + 1), ends = bottom === middle(total);
  return [drawn("path", { class: "loop", d: `M${ends ? 13 : 6},${bottom}${ends ? "h-7" : ""}V${top}${begins ? "h7m-4,-4l4,4l-4,4" : ""}` })];
}

function dots(first, last) {
  const out = [];
  for (let i = Math.max(1, first); i <= last; i++)
    for (const { pid } of actors(run.steps[i - 1]))
      out.push(drawn("circle", { cx: columns.get(pid), cy: middle(i), r: i === here ? 4.5 : 3, fill: colourOf.get(pid) }));
  return out;
}

// ---- the list of steps

const sentIn = new Map(), receivedIn = new Map();
for (const arrow of arrows) {
  sentIn.set(arrow.sent, [...(sentIn.get(arrow.sent) || []), arrow]);
  if (arrow.received !== null) receivedIn.set(arrow.received, [...(receivedIn.get(arrow.received) || []), arrow]);
}

function messageText(position) {
  const out = (sentIn.get(position) || []).map((a) => (a.received === position ? "\u21d2 " : "\u2192 ") + a.label);
  const back = (receivedIn.get(position) || []).filter((a) => a.sent !== position)
    .map((a) => `\u2190 ${a.label} (step ${a.sent})`);
  return [...out, ...back].join("  ");
}

function makeRow(position) {
  const row = element("div", { class: "row", "data-step": position });
  row.style.top = `${position * ROW}px`;
  row.style.paddingLeft = `${chartWidth}px`;
  row.append(element("span", { class: "number" }, position ? String(position) : "start"));
  if (position === 0) row.append(element("span", { class: "message" }, "initial state"));
  else fillRow(row, position, run.steps[position - 1]);
  if (run.cycle !== null && position > run.cycle) row.classList.add("cycle");
  if (run.cycle !== null && position === Math.min(run.cycle + 1, total))
    row.append(element("span", { class: "mark" }, run.cycle < total ? "   \u21bb the cycle begins" : "   \u21bb stays here for ever"));
  if (position === here) row.classList.add("current");
  return row;
}

function fillRow(row, position, step) {
  actors(step).forEach((actor, i) => {
    const who = element("span", { class: "who" }, (i ? "  \u21d2 " : "") + actor.name);
    who.style.color = colourOf.get(actor.pid);
    row.append(who, "  ", element("code", {}, actor.text));
    if (actor.pid < 0) row.classList.add("claim");
  });
  const extra = [step[1] ? "" : messageText(position), noteOf(step)].filter(Boolean).join("  ");
  if (extra) row.append(element("span", { class: "message" }, "   " + extra));
  if (faultOf(step)) row.append(element("span", { class: "fault" }, "   " + faultOf(step)));
}

function visible() {
  const box = $("run");
  const first = Math.max(0, Math.floor(box.scrollTop / ROW) - MORE_ROWS);
  return [first, Math.min(total, first + Math.ceil(box.clientHeight / ROW) + 2 * MORE_ROWS)];
}

function showRows() {
  const [first, last] = visible();
  const rows = [];
  for (let i = first; i <= last; i++) rows.push(makeRow(i));
  $("list").replaceChildren(...rows);
  const crossing = arrows.filter((a) => a.sent <= last && (a.received ?? a.sent) >= first);
  $("chart").replaceChildren(...cyclePath(first, last), ...lifelinePaths(first, last), ...dots(first, last),
                             ...crossing.flatMap(arrowPaths));
}

function keepInView() {
  const box = $("run"), top = here * ROW, head = $("heads").offsetHeight;
  const room = box.clientHeight - head - 2 * ROW;
  if (top < box.scrollTop + ROW) box.scrollTop = Math.max(0, top - room / 3);
  else if (top > box.scrollTop + room) box.scrollTop = top - room * 2 / 3;
}

// ---- variables

const words = () => $("filter").value.toLowerCase().split(/\s+/).filter(Boolean);
const isWanted = (path, wanted) => !wanted.length || wanted.some((word) => path.toLowerCase().includes(word));

function showValues() {
  const wanted = words();
  const before = new Map(here ? run.steps[here - 1][4].map(([path, , was]) => [path, was]) : []);
  const rows = [];
  let left = 0;
  for (let path = 0; path < values.length; path++) {
    if (values[path] === null || !isWanted(run.paths[path], wanted)) continue;
    if (rows.length < MOST_VALUES) rows.push(valueRow(path, before));
    else left++;
  }
  $("values").replaceChildren(...rows);
  $("more").textContent = left ? `and ${left} more: use the filter` : rows.length ? "" : "nothing to show";
  bringIntoView($("values").querySelector(".changed"));
}

function valueRow(path, before) {
  const row = element("tr", { "data-path": run.paths[path] }, element("td", {}, run.paths[path]));
  const cell = element("td");
  if (before.has(path)) {
    row.classList.add("changed");
    if (before.get(path) !== null) cell.append(element("i", {}, `${before.get(path)} \u2192 `));
  }
  cell.append(String(values[path]));
  row.append(cell);
  return row;
}

function goToChange(direction) {
  const wanted = words();
  for (let i = here + direction; i >= 1 && i <= total; i += direction)
    if (run.steps[i - 1][4].some(([path]) => isWanted(run.paths[path], wanted))) return go(i);
}

// ---- source

let shownFile = null;

function showFile(file) {
  if (file === shownFile) return;
  shownFile = file;
  const [name, lines] = run.files[file] || ["no source", []];
  $("file").textContent = name;
  $("code").replaceChildren(...lines.map((line, i) => element("div", { "data-line": i + 1 }, line)));
}

function showSource() {
  const moving = here ? actors(run.steps[here - 1]) : [];
  if (moving.length && moving[0].file >= 0) showFile(moving[0].file);
  else if (shownFile === null) showFile(0);
  for (const marked of $("code").querySelectorAll(".current, .partner")) marked.className = "";
  [...moving].reverse().forEach((actor) => {
    if (actor.file !== shownFile) return;
    for (let line = actor.line; line <= actor.last; line++)
      $("code").children[line - 1]?.classList.add(actor === moving[0] ? "current" : "partner");
  });
  showStanding();
  bringIntoView($("code").querySelector(".current"));
}

// The names of processes stand behind the lines they have come to.
function showStanding() {
  for (const tag of $("code").querySelectorAll(".tag")) tag.remove();
  const alive = (pid) => lifelines.find((line) => line.pid === pid).spans.some(([a, b]) => a <= here && here <= b);
  for (const [pid, [name, file, line]] of standing) {
    if (file !== shownFile || !alive(pid)) continue;
    const tag = element("span", { class: "tag" }, run.texts[name]);
    tag.style.background = colourOf.get(pid);
    $("code").children[line - 1]?.append(tag);
  }
}

// Like scrollIntoView, but never at the edge, and without scrolling sideways.
function bringIntoView(line) {
  if (!line) return;
  const box = line.closest(".scroll"), at = line.getBoundingClientRect(), frame = box.getBoundingClientRect();
  if (at.top < frame.top + 2 * ROW || at.bottom > frame.bottom - 2 * ROW)
    box.scrollTop += (at.top + at.bottom) / 2 - (frame.top + frame.bottom) / 2;
}

// ---- moving about

function go(position) {
  moveValues(Math.max(0, Math.min(total, position)));
  $("position").textContent = `${here} / ${total}`;
  keepInView();
  showRows();
  showValues();
  showSource();
  try { history.replaceState(null, "", `#${here}`); } catch { /* some browsers refuse this for files */ }
}

const page = () => Math.max(1, Math.floor($("run").clientHeight / ROW) - 2);
const keys = {
  ArrowRight: () => go(here + 1), ArrowDown: () => go(here + 1), j: () => go(here + 1),
  ArrowLeft: () => go(here - 1), ArrowUp: () => go(here - 1), k: () => go(here - 1),
  Home: () => go(0), End: () => go(total), PageDown: () => go(here + page()), PageUp: () => go(here - page()),
  n: () => goToChange(1), p: () => goToChange(-1), "/": () => $("filter").focus(),
};

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.altKey || event.metaKey) return;
  if (event.target === $("filter")) {
    if (event.key !== "Escape" && event.key !== "Enter") return;
    event.preventDefault(); // Escape would empty the field
    $("filter").blur();
    return;
  }
  const action = keys[event.key];
  if (!action) return;
  event.preventDefault();
  action();
});

$("first").onclick = () => go(0);
$("back").onclick = () => go(here - 1);
$("next").onclick = () => go(here + 1);
$("last").onclick = () => go(total);
$("earlier").onclick = () => goToChange(-1);
$("later").onclick = () => goToChange(1);
$("filter").oninput = showValues;
$("list").onclick = (event) => {
  const row = event.target.closest(".row");
  if (row) go(Number(row.dataset.step));
};
$("bar").onpointerdown = (event) => {
  $("bar").setPointerCapture(event.pointerId);
  $("bar").onpointermove = (move) => { $("run").style.flexBasis = `${move.clientX}px`; };
  $("bar").onpointerup = () => { $("bar").onpointermove = null; showRows(); };
};
let waiting = false;
const later = () => {
  if (waiting) return;
  waiting = true;
  requestAnimationFrame(() => { waiting = false; showRows(); });
};
$("run").onscroll = later;
addEventListener("resize", later);
addEventListener("hashchange", () => go(Number(location.hash.slice(1)) || 0));

// Where every process stands at the end, if the run is stuck or its trail does not fit.
function showWhere() {
  if (!run.ending.where.length) return;
  const lines = run.ending.where.map(([pid, name, file, line, text]) => {
    const who = element("span", { class: "who" }, element("b", {}, name));
    who.style.color = colourOf.get(pid);
    const row = element("div", {}, who, ` at line ${line}: `, element("code", {}, text));
    row.onclick = () => {
      if (file < 0) return;
      showFile(file);
      for (const marked of $("code").querySelectorAll(".current, .partner")) marked.className = "";
      $("code").children[line - 1]?.classList.add("current");
      bringIntoView($("code").querySelector(".current"));
    };
    return row;
  });
  $("where").style.paddingLeft = `${chartWidth}px`;
  $("where").replaceChildren(element("h2", {}, run.ending.text), ...lines);
}

function start() {
  $("ending").textContent = $("ending").title = run.ending.text;
  $("ending").className = run.ending.bad ? "bad" : run.cycle !== null ? "cycle" : "";
  $("rows").style.height = `${(total + 1) * ROW}px`;
  $("chart").setAttribute("width", chartWidth);
  $("chart").setAttribute("height", (total + 1) * ROW);
  $("filter").value = run.filter;
  prepareChanges();
  showHeads();
  showWhere();
  go(Number(location.hash.slice(1)) || 0);
  document.documentElement.dataset.ready = performance.now().toFixed(0);
}
start();
