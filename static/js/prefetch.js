// The next items of the queue, fetched before they are asked for. What is kept is thrown away when anything is sent, when
// the page hears of news, and after a while; what is shown from it is checked at once (static/js/live.js asks with its state).
const ROW = ".qitem a[hx-get]", AHEAD = 2, FRESH = 15000;
const kept = new Map(); // address → { text (a promise), at }
let wanted = "";

const addressOf = (link) => link.getAttribute("hx-get");
const ahead = () => {
  const links = [...document.querySelectorAll(ROW)].filter((link) => link.closest(".qitem"));
  const at = links.findIndex((link) => link.hasAttribute("aria-current"));
  return links.slice(at + 1, at + 1 + AHEAD);
};
const fetched = async (address) => {
  const headers = { "HX-Request": "true", "HX-Target": "decision", "HX-Current-URL": location.href };
  const answer = await fetch(address, { headers, redirect: "manual", cache: "no-store", priority: "low" });
  if (!answer.ok) throw new Error(answer.status);
  return answer.text();
};
const prefetch = async () => {
  for (const address of ahead().map(addressOf)) {
    const known = kept.get(address);
    if (known && performance.now() - known.at < FRESH) continue;
    const one = { text: fetched(address), at: performance.now() };
    kept.set(address, one);
    try { await one.text; } catch { if (kept.get(address) === one) kept.delete(address); } // one at a time
  }
};
const show = (address, text) => {
  htmx.swap("#decision", text, { swapStyle: "outerHTML", swapDelay: 0, settleDelay: 0 });
  history.pushState({ htmx: true }, "", address);
  document.body.dispatchEvent(new CustomEvent("tick"));
};

document.addEventListener("htmx:beforeRequest", (event) => {
  const { elt, requestConfig } = event.detail;
  if (requestConfig.verb !== "get") { kept.clear(); wanted = ""; return; }
  if (!elt.matches?.(ROW)) { if (event.detail.target?.id === "decision") wanted = ""; return; }
  const address = addressOf(elt), one = kept.get(address);
  kept.delete(address);
  wanted = address;
  if (!one || performance.now() - one.at >= FRESH) return;
  event.preventDefault();
  one.text.then((text) => { if (wanted === address) show(address, text); }, () => { if (wanted === address) elt.click(); });
});
document.addEventListener("live:news", () => kept.clear());
let soon = 0;
const afterwards = () => { clearTimeout(soon); soon = setTimeout(prefetch, 60); };
document.addEventListener("htmx:afterSettle", afterwards);
if (document.querySelector(ROW)) afterwards();
