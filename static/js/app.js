// What the pages do in the browser beside htmx: theme, drawer, bulk selection, keyboard map, focus after a swap,
// refused and lost requests. Every part works on markup (data attributes), none knows a page.
const $ = (query, within = document) => within.querySelector(query);
const $$ = (query, within = document) => [...within.querySelectorAll(query)];
const root = document.documentElement;

/* ── theme: at once, and stored by the server for the next page ── */
document.addEventListener("submit", (event) => {
  const form = event.target.closest("[data-theme-form]");
  if (!form) return;
  event.preventDefault();
  const dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  const theme = dark ? "light" : "dark";
  root.dataset.theme = theme;
  const body = new URLSearchParams(new FormData(form));
  body.set("theme", theme);
  fetch(form.action, { method: "POST", body, redirect: "manual", keepalive: true }).catch(() => {});
});

/* ── language: the page comes back as it stands now, with the item that was opened since ── */
document.addEventListener("submit", (event) => {
  const next = event.target.elements?.namedItem("next");
  if (event.target.closest(".topbar") && next) next.value = location.pathname + location.search + location.hash;
});

/* ── drawer: the sidebar on narrow screens ── */
const opener = () => $("[data-toggle-nav]");
const drawer = (open) => {
  const side = $("#sidebar");
  if (!side || side.hasAttribute("data-open") === open) return;
  side.toggleAttribute("data-open", open);
  opener()?.setAttribute("aria-expanded", String(open));
  if (open) $("a", side)?.focus();
  else opener()?.focus();
};
document.addEventListener("click", (event) => {
  if (event.target.closest("[data-toggle-nav]")) drawer(!$("#sidebar")?.hasAttribute("data-open"));
  else if ($("#sidebar[data-open]") && !event.target.closest("#sidebar")) drawer(false);
});

/* ── bulk selection: CSS shows the bar, this keeps its number and the box above the rows ── */
const count = (scope) => {
  const boxes = $$("[data-select]", scope), checked = boxes.filter((box) => box.checked).length, all = $("[data-select-all]", scope);
  for (const number of $$("[data-count]", scope)) number.textContent = checked;
  if (all) { all.checked = checked > 0 && checked === boxes.length; all.indeterminate = checked > 0 && checked < boxes.length; }
};
const countAll = () => $$("[data-bulk]").forEach(count);
document.addEventListener("change", (event) => {
  const scope = event.target.closest("[data-bulk]");
  if (!scope) return;
  if (event.target.matches("[data-select-all]")) for (const box of $$("[data-select]", scope)) box.checked = event.target.checked;
  if (event.target.matches("[data-select], [data-select-all]")) count(scope);
});
const clear = (scope) => {
  for (const box of $$("[data-select], [data-select-all]", scope)) box.checked = false;
  count(scope);
};
document.addEventListener("click", (event) => {
  const scope = event.target.closest("[data-clear]")?.closest("[data-bulk]");
  if (!scope) return;
  clear(scope);
  $("[data-select-all], [data-select]", scope)?.focus();
});
document.addEventListener("keydown", (event) => { // with nothing open that Escape would close, it lets go of what is selected
  if (event.key !== "Escape" || event.isComposing || event.target.closest?.(TEXT) || $("dialog[open], [popover]:popover-open, #sidebar[data-open]")) return;
  $$("[data-bulk]").forEach(clear);
});

/* ── copy: what is shown once; it is selected at least, where the browser lets nothing onto the clipboard ── */
const revealCopy = () => $$("[data-copy][hidden]").forEach((button) => { button.hidden = false; });
document.addEventListener("htmx:afterSettle", revealCopy);
revealCopy();
document.addEventListener("click", (event) => {
  const button = event.target.closest("[data-copy]"), field = button && document.getElementById(button.dataset.copy);
  if (!field) return;
  field.select();
  navigator.clipboard?.writeText(field.value).then(() => { button.textContent = button.dataset.copied; }, () => {});
});

/* ── the current item of a list, and list or detail on narrow screens ── */
const ROWS = ".qitem, [data-rows] > tr, [data-rows] > li";
const linkOf = (row) => $(".primary-cell a, a", row);
const rows = () => $$(ROWS).filter((row) => row.checkVisibility() && linkOf(row));
const currentRow = () => document.activeElement?.closest(ROWS) ?? $(".qitem a[aria-current]")?.closest(ROWS);
const markCurrent = (link) => {
  for (const other of $$(".qitem a[aria-current]")) other.removeAttribute("aria-current");
  link.setAttribute("aria-current", "true");
};
document.addEventListener("htmx:afterSettle", () => { // the server chose what is open now; rows that came back were open once
  const link = $(`#q-${CSS.escape($("#decision")?.dataset.item ?? "")} a`);
  if (!link) return;
  const known = link.hasAttribute("aria-current");
  markCurrent(link);
  if (!known) link.closest(ROWS).scrollIntoView({ block: "nearest" });
});
document.addEventListener("click", (event) => {
  const link = event.target.closest(".qitem a");
  if (!link || event.metaKey || event.ctrlKey || event.shiftKey) return;
  markCurrent(link);
  if (link.hasAttribute("hx-get")) { const triage = $(".triage"); if (triage) triage.dataset.view = "detail"; }
});
const move = (step) => {
  const all = rows(), at = all.indexOf(currentRow());
  const row = all[at < 0 ? 0 : Math.min(all.length - 1, Math.max(0, at + step))];
  if (!row) return;
  const link = linkOf(row);
  link.focus({ preventScroll: true });
  row.nextElementSibling?.scrollIntoView({ block: "nearest" }); // what follows comes into view, and so is fetched
  row.scrollIntoView({ block: "nearest" });
  if (!row.matches(".qitem") || !link.hasAttribute("hx-get")) return;
  htmx.process(row); // a row that has only just come would be followed as a plain link, and the list be lost
  link.click();
};

/* ── keyboard map (WCAG 2.1.4: off in the dialog and in the preferences) ── */
const TEXT = "input:not([type=checkbox], [type=radio], [type=range], [type=button], [type=submit]), textarea, select, [contenteditable]";
const keysOn = () => root.dataset.keys !== "off";
const usable = (button) => !button.disabled && button.getAttribute("aria-disabled") !== "true" && button.checkVisibility();
const buttonFor = (key) => {
  const query = `[data-key="${CSS.escape(key)}"]`;
  const open = [$("[popover]:popover-open"), $("#live"), $(".bulkbar")].filter(Boolean); // what stands on top answers first
  for (const part of [...open, currentRow()].filter(Boolean)) { const button = $$(query, part).find(usable); if (button) return button; }
  const rest = $$(query).filter((button) => !button.closest(`[popover], [data-rows]`) && usable(button)); // a row's keys are its own
  return rest.find((button) => !("keyLast" in button.dataset)) ?? rest[0];
};
const refusalFor = (key) => { // a button that does nothing now says why where it is told beside it
  const button = $$(`[data-key="${CSS.escape(key)}"][aria-describedby]`).find((one) => !usable(one) && one.checkVisibility());
  return button && document.getElementById(button.getAttribute("aria-describedby"))?.textContent.trim();
};
const FULL_WIDTH = { "？": "?", "／": "/" };
document.addEventListener("keydown", (event) => {
  if (event.isComposing || event.keyCode === 229) return; // an input method is at work
  if (event.key === "Escape" && $("#sidebar[data-open]")) return drawer(false);
  if (!keysOn() || event.metaKey || event.ctrlKey || event.altKey) return;
  if (event.target.closest?.(TEXT) || $("dialog[open]")) return;
  const pressed = FULL_WIDTH[event.key] ?? event.key;
  const key = event.shiftKey || pressed.length > 1 ? pressed : pressed.toLowerCase(); // caps lock is no modifier
  if (key === "j" && !buttonFor(key)) move(1); // where there is no list, a link may lead to what follows
  else if (key === "k" && !buttonFor(key)) move(-1);
  else if (event.repeat) return; // a held key decides nothing twice
  else if (key === "x") $("[data-select]", currentRow() ?? document.createElement("i"))?.click();
  else if (key === "/") { const field = $(".searchbox input"); if (field?.checkVisibility()) field.focus(); else return; }
  else if (key === "?") { const dialog = $("#keys"); if (dialog) dialog.showModal(); else return; }
  else { const button = buttonFor(key), why = button ? "" : refusalFor(key); if (why) say(why); if (!button) return; if (button.matches("input, textarea, select")) button.focus(); else button.click(); }
  event.preventDefault();
});
document.addEventListener("keydown", (event) => { // what is written is sent without leaving the field
  if (event.key !== "Enter" || event.isComposing) return;
  const all = event.ctrlKey || event.metaKey, choice = event.target.matches?.("select"); // alone, Enter would do nothing in a choice
  const form = (all || choice) && event.target.closest?.(all ? "dialog[open] form, form:has(textarea)" : "dialog[open] form");
  if (!form || event.repeat) return;
  event.preventDefault();
  if (form.closest("dialog")) form.requestSubmit();
  else [...form.elements].find((one) => one.matches("button:not([type=button])") && usable(one))?.click(); // what belongs to it may stand beside it
});
document.addEventListener("change", (event) => {
  if (event.target.matches("[data-keys-on]")) root.dataset.keys = event.target.checked ? "on" : "off";
});

/* ── a form that was changed is not left without a word; what is sent is not lost, unless it did not arrive ── */
const unsaved = (value, ...names) => {
  for (const name of names) document.addEventListener(name, (event) => {
    const form = event.target.closest?.("form[data-unsaved]");
    if (form) form.dataset.unsaved = value;
  });
};
unsaved("yes", "input", "change", "htmx:responseError", "htmx:sendError", "htmx:timeout");
unsaved("", "submit", "htmx:beforeRequest");
addEventListener("beforeunload", (event) => { if ($("form[data-unsaved=yes]")) event.preventDefault(); });

/* ── the live region: one message at a time; it stays while it is pointed at or focused ── */
let timer, told = null;
const LASTS = 8000;
const HOVERS = matchMedia("(hover: hover)"); // a finger leaves :hover behind where it has tapped
const fade = (after = LASTS) => {
  clearTimeout(timer);
  timer = setTimeout(() => {
    const live = $("#live");
    if (!live) return;
    if (live.matches(HOVERS.matches ? ":hover, :focus-within" : ":focus-within")) fade(1000);
    else live.replaceChildren();
  }, after);
};
const fadeIfNew = () => { // another answer meanwhile, as a refresh is, makes no message stay
  const first = $("#live")?.firstElementChild ?? null;
  if (first && first !== told) fade();
  told = first;
};
const say = (words) => {
  const toast = document.createElement("div"), text = document.createElement("span");
  toast.className = "toast";
  text.textContent = words;
  toast.append(text);
  $("#live")?.replaceChildren(toast);
  fadeIfNew();
};
const toast = (name, from) => {
  const template = $(`#toast-${name}`), live = $("#live"), form = from?.closest?.("dialog[open] form");
  if (!template || !live) return;
  if (!form) { live.replaceChildren(template.content.cloneNode(true)); return fadeIfNew(); }
  const notice = $("[data-problem]", form) ?? document.createElement("p"); // the page behind an open dialog is out of reach
  notice.className = "notice danger";
  notice.setAttribute("role", "alert");
  notice.dataset.problem = name;
  notice.replaceChildren(...$("span", template.content).cloneNode(true).childNodes);
  form.prepend(notice);
};

/* ── focus after a swap: what asks for it, else the same control, the next row, the heading of what came ── */
let lost = null;
const nowhere = (closed) => { // focus is lost, or in what was just closed, where the browser leaves it for a moment
  const active = document.activeElement;
  return !active || active === document.body || Boolean(closed?.contains(active));
};
const focusOn = (element) => {
  if (!element || !element.checkVisibility()) return false;
  if (!element.matches("a, button, input, select, textarea, [tabindex]")) element.setAttribute("tabindex", "-1");
  element.focus();
  return document.activeElement === element;
};
const headingOf = (region) => region && ($("[data-focus]", region) ?? $("h1, h2, .empty", region));
document.addEventListener("htmx:beforeSwap", (event) => {
  if (event.detail.elt?.hasAttribute?.("data-quiet")) return; // a refresh that nobody asked for
  if (event.detail.xhr.status >= 400) $("#live")?.replaceChildren(); // what was said before is not what happened now
  const active = document.activeElement, target = event.detail.target, row = active?.closest("tr, li"), list = row?.parentElement;
  const inside = !nowhere() && target?.contains(active);
  const item = $("#decision")?.dataset.item;
  lost = { item, id: inside ? active.id : "", field: inside && !active.matches("button, a"), target: target?.id, list: (inside && list?.id) || null, index: list ? [...list.children].indexOf(row) : -1 };
});
document.addEventListener("htmx:afterSettle", () => {
  countAll();
  fadeIfNew();
  const was = lost, region = was?.target && document.getElementById(was.target);
  if (!was || !region) return;
  const wrong = $("[aria-invalid=true]", region), now = $("[data-focus-now]", region);
  if (now) now.removeAttribute("data-focus-now");
  if (now || wrong) { lost = null; focusOn(now ?? wrong); return; }
  lost = null;
  const other = was.item !== $("#decision")?.dataset.item;
  if (!nowhere() && !(other && was.field && document.activeElement.id === was.id)) return; // of another item, a field of the same name got it
  const list = was.list && document.getElementById(was.list), row = list && (list.children[was.index] ?? list.lastElementChild);
  const same = was.field && other ? null : was.id && document.getElementById(was.id); // a field of another item is another field
  for (const next of [same, row && $("a, button, input", row), headingOf(region)]) if (focusOn(next)) return;
});

/* ── dialogs that post by htmx close when the answer is not the form with errors ── */
document.addEventListener("htmx:afterRequest", (event) => {
  const form = event.target.closest?.("dialog form[data-closes]");
  if (!form || !event.detail.successful) return;
  $("[data-problem]", form)?.remove();
  form.closest("dialog").close();
});

/* ── dialogs that the server opened are modal like all others; what closes gives focus back to what opened it ── */
const upgrade = () => {
  for (const dialog of $$("dialog.dialog[open]:not(:modal)")) {
    dialog.close();
    dialog.showModal();
    $("[aria-invalid=true]", dialog)?.focus();
  }
};
document.addEventListener("htmx:afterSettle", upgrade);
document.addEventListener("close", (event) => {
  const dialog = event.target, address = new URL(location.href);
  if (!dialog.matches?.("dialog.dialog") || dialog.open) return;
  if ("once" in dialog.dataset) dialog.remove(); // and with it whatever it was about to go on with
  if (address.searchParams.has("edit")) {
    address.searchParams.delete("edit");
    history.replaceState(history.state, "", address);
  }
  if (nowhere(dialog)) $$(`[commandfor="${CSS.escape(dialog.id)}"]`).some((opener) => !dialog.contains(opener) && focusOn(opener)) || focusOn(headingOf($("#decision, #approval, #main")));
}, true);
document.addEventListener("toggle", (event) => {
  if (event.newState !== "closed" || !event.target.matches?.("[popover]") || !nowhere(event.target)) return;
  focusOn($(`[popovertarget="${CSS.escape(event.target.id)}"]`));
}, true);
upgrade();

/* ── refused and lost requests ── */
let failed = null;
document.addEventListener("htmx:responseError", (event) => {
  const status = event.detail.xhr.status;
  if (status === 401) return signedOut(event.detail);
  if (event.detail.elt.hasAttribute?.("data-quiet")) return; // a refresh that nobody asked for
  failed = event.detail.elt;
  toast(status === 403 ? "forbidden" : status === 404 ? "gone" : "failed", failed);
});
for (const name of ["htmx:sendError", "htmx:timeout"]) {
  document.addEventListener(name, (event) => {
    if (event.detail.elt.hasAttribute?.("data-quiet")) return;
    failed = event.detail.elt;
    toast("offline", failed);
  });
}
document.addEventListener("click", (event) => {
  if (!event.target.closest("[data-retry]") || !failed?.isConnected) return;
  $("#live").replaceChildren();
  if (failed.matches("form")) failed.requestSubmit();
  else failed.click();
});

/* ── signed out meanwhile: a link leads to the sign-in page; a form stays as it is, and works again after that ── */
let away = false;
const signedOut = ({ elt, xhr, requestConfig }) => {
  const quiet = elt.hasAttribute?.("data-quiet");
  if (requestConfig.verb === "get" && !quiet) return location.assign(xhr.getResponseHeader("X-Sign-In") ?? "/");
  if (quiet && away) return;
  away = true;
  if (!quiet) failed = elt;
  toast("away", elt);
  comeBack(); // somebody may have signed in elsewhere already
};
const comeBack = async () => { // signing in gives a new token, which the forms of this page need
  if (!away || document.visibilityState !== "visible") return;
  const answer = await fetch(location.href, { redirect: "manual" }).catch(() => null);
  const token = answer?.ok && $("[name=csrfmiddlewaretoken]", new DOMParser().parseFromString(await answer.text(), "text/html"))?.value;
  if (!token) return;
  away = false;
  document.body.setAttribute("hx-headers", JSON.stringify({ "X-CSRFToken": token }));
  for (const field of $$("[name=csrfmiddlewaretoken]")) field.value = token;
  toast("back", failed);
};
document.addEventListener("visibilitychange", comeBack);
addEventListener("focus", comeBack);

/* ── the time zone of the browser, for an operator who has none yet ── */
for (const field of $$("[data-zone]")) field.value = Intl.DateTimeFormat().resolvedOptions().timeZone ?? "";

/* ── small screens ── */
const NARROW = matchMedia("(width < 48rem)");
let decision = $("#decision");
document.addEventListener("htmx:afterSettle", () => { // the next decision begins at its top, not where the last was left
  const now = $("#decision"), other = now !== decision;
  decision = now;
  if (!other || !now || !NARROW.matches || !now.checkVisibility() || $("dialog[open]")) return;
  $("#d-title")?.focus({ preventScroll: true });
  now.scrollIntoView({ block: "start", behavior: "instant" });
});
/* messages stand above the bar of buttons, however many rows it has */
const bars = new ResizeObserver(([entry]) => {
  const height = entry.target.isConnected ? entry.target.getBoundingClientRect().height : 0;
  if (height) root.style.setProperty("--bar", `${Math.ceil(height)}px`);
  else root.style.removeProperty("--bar");
});
let bar = null;
const watchBar = () => {
  const now = $(".actionbar");
  if (now === bar) return;
  bars.disconnect();
  bar = now;
  if (bar) bars.observe(bar);
  else root.style.removeProperty("--bar");
};
document.addEventListener("htmx:afterSettle", watchBar);
watchBar();
document.addEventListener("click", (event) => {
  const back = event.target.closest("[data-back]"), triage = $(".triage");
  if (!back || !triage || !$(".queue .qitem")) return;
  event.preventDefault();
  triage.dataset.view = "list";
  history.replaceState(history.state, "", back.href);
  scrollTo(0, 0);
});

countAll();
fadeIfNew();
focusOn($("#live > *")); // what the last page did is said on this one
