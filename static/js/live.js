// What a page hears by itself: numbers, news of its list, what became of the open item, and who else is where. One address
// per workspace is asked while the tab is seen, and answers 304 while nothing is new. Elements say by data-live what they show.
const state = () => document.getElementById("live-state"); // going back draws the page anew, and it with it
const EVERY = 10000, SLOWEST = 300000, PATIENCE = 15000, SETTLES = 400;
let tag = ""; // of what was told last, whatever it was asked with; empty once the page may show something else
let timer = 0, failures = 0, running = null, sentAt = -PATIENCE;

const asked = () => [...document.querySelectorAll("[data-live]")].map((part) => part.dataset.live).join("&");
const tell = (name) => { for (const words of document.querySelectorAll("#live-state [data-when]")) words.hidden = words.dataset.when !== name; };
const later = (milliseconds) => { clearTimeout(timer); timer = setTimeout(ask, milliseconds); };
const sending = () => performance.now() - sentAt < PATIENCE;
const forget = () => { tag = ""; };
const stop = () => { running?.abort(); running = null; clearTimeout(timer); };
const pause = () => Math.min(SLOWEST, EVERY * 2 ** failures) * (0.9 + Math.random() / 5); // tabs opened together part

/* who has what open: in the rows and above the item, without a row moving for it */
const place = () => {
  const present = new Map();
  for (const one of document.querySelectorAll("#present li")) present.set(one.dataset.decision, [...(present.get(one.dataset.decision) ?? []), one.textContent]);
  for (const spot of document.querySelectorAll("[data-here]")) {
    const words = (present.get(spot.dataset.here) ?? []).join(" · ");
    if (spot.textContent === words) continue;
    spot.textContent = words;
    spot.title = words;
    spot.hidden = !words;
  }
};
const announce = () => { // said once, when it is other than before, and never over what the person reads
  const words = document.querySelector("[data-said]")?.dataset.said ?? "", said = document.getElementById("live-said");
  if (said && said.textContent !== words) said.textContent = words;
};

async function ask() {
  clearTimeout(timer);
  if (document.visibilityState !== "visible") return;
  if (sending()) return later(SETTLES);
  running?.abort();
  const own = running = new AbortController(), base = state()?.dataset.liveUrl, address = `${base}?${asked()}`;
  const limit = setTimeout(() => own.abort(), PATIENCE);
  try {
    const headers = { "HX-Request": "true", "HX-Current-URL": location.href };
    if (tag) headers["If-None-Match"] = tag;
    const answer = await fetch(address, { headers, redirect: "manual", cache: "no-store", signal: own.signal });
    const out = answer.type === "opaqueredirect" || answer.status === 401;
    if (!out && answer.status !== 304 && !answer.ok) throw new Error(answer.status);
    const text = out || answer.status === 304 ? "" : await answer.text();
    if (running !== own) return;
    failures = out ? 3 : 0; // signed out: asked seldom, until somebody signs in again
    tell(out ? "out" : "");
    if (text && address !== `${base}?${asked()}`) return later(0); // the page shows something else by now
    if (text) {
      if (tag) document.dispatchEvent(new CustomEvent("live:news"));
      tag = answer.headers.get("ETag") ?? "";
      htmx.swap(document.body, text, { swapStyle: "none", swapDelay: 0, settleDelay: 0 });
      place();
      announce();
    }
  } catch {
    if (running !== own) return;
    failures += 1;
    if (failures > 1) tell("lost");
  } finally {
    clearTimeout(limit);
  }
  later(pause());
}

if (state()) {
  let open = document.getElementById("decision")?.dataset.item;
  const soon = () => { failures = 0; ask(); };
  document.addEventListener("visibilitychange", () => { if (document.visibilityState === "visible") soon(); else stop(); });
  addEventListener("online", soon);
  // While something is sent, nothing is told: the button that sent it must still be there when its answer comes.
  document.addEventListener("htmx:beforeRequest", (event) => {
    if (event.detail.requestConfig.verb === "get") return;
    stop();
    sentAt = performance.now();
    later(PATIENCE);
  });
  document.addEventListener("htmx:afterRequest", (event) => {
    if (event.detail.requestConfig.verb === "get") return;
    sentAt = -PATIENCE;
    forget();
    later(SETTLES);
  });
  document.addEventListener("htmx:historyRestore", forget);
  document.body.addEventListener("tick", soon); // whoever cannot wait
  document.addEventListener("htmx:afterSettle", () => {
    place();
    const now = document.getElementById("decision")?.dataset.item;
    if (now !== open && now) later(SETTLES); // others are told what is open, once it is looked at
    open = now;
  });
  place();
  later(open ? SETTLES : pause());
}
