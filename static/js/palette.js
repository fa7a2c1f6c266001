// The command palette (Ctrl+K): the pages of the navigation, what this page can do now, and what a search finds.
// It takes names from the page itself, so that it offers what the person may do, in their language.
const dialog = document.getElementById("palette");
const field = dialog?.querySelector("input"), list = dialog?.querySelector("[role=listbox]"), none = dialog?.querySelector("[data-none]");
const WAITS = 150, MOST = 8; // milliseconds of quiet before a search; commands of one group that are shown
let timer = 0, running = null, commands = [];

const nameOf = (element) => {
  const copy = element.cloneNode(true);
  for (const part of copy.querySelectorAll("kbd, svg, .count, .vh")) part.remove();
  return (element.getAttribute("aria-label") ?? element.labels?.[0]?.textContent ?? copy.textContent).replace(/\s+/g, " ").trim();
};
const keyOf = (element) => element.querySelector("kbd")?.textContent ?? "";
const enabled = (button) => !button.disabled && button.getAttribute("aria-disabled") !== "true";
const gathered = () => {
  const here = [...document.querySelectorAll("main [data-key], .page-head .actions :is(a, button)")].filter((one) => !one.closest("dialog, [popover], [data-rows]") && enabled(one) && one.checkVisibility());
  const everywhere = [...document.querySelectorAll(".topbar [data-command]")].filter(enabled);
  const pages = [...document.querySelectorAll("#sidebar ul a")];
  return [["here", [...here, ...everywhere]], ["pages", pages]].flatMap(([group, elements]) => elements.map((element) => ({ group, element, name: nameOf(element), also: element.dataset.also ?? "", key: keyOf(element) })));
};
const fits = ({ name, also }, words) => { const folded = `${name} ${also}`.toLocaleLowerCase(); return words.every((word) => folded.includes(word)); };

const options = () => [...list.querySelectorAll("[role=option]")].filter((option) => option.checkVisibility());
const choose = (option) => {
  for (const other of list.querySelectorAll("[aria-selected=true]")) other.setAttribute("aria-selected", "false");
  option?.setAttribute("aria-selected", "true");
  option?.scrollIntoView({ block: "nearest" });
  if (option) field.setAttribute("aria-activedescendant", option.id);
  else field.removeAttribute("aria-activedescendant");
};
const chosen = () => list.querySelector("[aria-selected=true]");
const optionOf = (command, number) => {
  const option = document.createElement("div"), name = document.createElement("span");
  option.id = `palette-${command.group}-${number}`;
  option.setAttribute("role", "option");
  option.setAttribute("aria-selected", "false");
  name.textContent = command.name;
  option.append(name);
  if (command.key) { const key = document.createElement("kbd"); key.textContent = command.key; option.append(key); }
  option.command = command.element;
  return option;
};
const show = () => {
  const text = field.value.trim(), words = text.toLocaleLowerCase().split(/\s+/).filter(Boolean);
  for (const group of ["here", "pages"]) {
    const part = list.querySelector(`[data-group=${group}]`);
    const found = commands.filter((command) => command.group === group && command.name && fits(command, words)).slice(0, words.length ? MOST : undefined);
    part.replaceChildren(part.firstElementChild, ...found.map(optionOf));
    part.hidden = !found.length;
  }
  const every = list.querySelector("[data-group=search]");
  every.hidden = !text;
  every.querySelector("b").textContent = text;
  choose(options()[0]);
  none.hidden = true;
};
const search = async () => {
  const text = field.value.trim(), part = list.querySelector("[data-group=found]");
  running?.abort();
  if (!text) { part.replaceChildren(); return; }
  const own = running = new AbortController();
  try {
    const answer = await fetch(`${dialog.dataset.search}?${new URLSearchParams({ q: text, short: 1 })}`, { headers: { "HX-Request": "true" }, redirect: "manual", signal: own.signal });
    if (!answer.ok) throw new Error(answer.status);
    const words = await answer.text();
    if (running !== own) return;
    const at = chosen()?.id;
    part.innerHTML = words;
    choose((at && at !== "palette-search" && document.getElementById(at)) || options()[0]); // what was found stands before the search itself
    none.hidden = options().length > 1;
  } catch (error) {
    if (error.name !== "AbortError") part.replaceChildren();
  }
};
const run = (option) => {
  if (!option) return;
  const { command } = option, { href } = option.dataset;
  dialog.close();
  if (href) location.assign(href);
  else if (command?.matches("input, textarea, select")) command.focus();
  else if (command) command.click();
  else location.assign(`${dialog.dataset.search}?${new URLSearchParams({ q: field.value.trim() })}`);
};
const open = () => {
  commands = gathered(); // before the dialog makes the rest inert
  field.value = "";
  list.querySelector("[data-group=found]").replaceChildren();
  dialog.showModal();
  show();
};

if (dialog) {
  document.addEventListener("keydown", (event) => {
    if (!(event.ctrlKey || event.metaKey) || event.shiftKey || event.altKey || event.isComposing || event.key.toLowerCase() !== "k") return;
    if (document.querySelector("dialog:modal") && !dialog.open) return;
    event.preventDefault();
    if (dialog.open) dialog.close();
    else open();
  });
  document.addEventListener("click", (event) => { if (event.target.closest("[data-palette]")) open(); });
  dialog.addEventListener("click", (event) => { if (event.target === dialog) dialog.close(); else run(event.target.closest("[role=option]")); });
  field.addEventListener("input", () => {
    clearTimeout(timer);
    show();
    timer = setTimeout(search, WAITS);
  });
  field.addEventListener("keydown", (event) => {
    if (event.isComposing || event.keyCode === 229) return; // an input method is at work
    const all = options(), at = all.indexOf(chosen()), last = all.length - 1;
    const next = { ArrowDown: at === last ? 0 : at + 1, ArrowUp: at <= 0 ? last : at - 1, Home: 0, End: last }[event.key];
    if (next !== undefined && !(["Home", "End"].includes(event.key) && field.value)) choose(all[next]);
    else if (event.key === "Enter") run(chosen());
    else return;
    event.preventDefault();
  });
}
