// The items beside the open one, fetched before they are asked for. What is kept is thrown away when anything is sent, when
// the page hears of news, and after a while; what is shown from it is checked at once (static/js/live.js asks with its state).
const ROW = ".qitem a[hx-get]", FRESH = 15000, AT_ONCE = 2;
const kept = new Map(); // address → { text (a promise), at }
let wanted = "", fetching = 0;

const addressOf = (link) => link.getAttribute("hx-get");
const fresh = (one) => one && performance.now() - one.at < FRESH;
const beside = () => { // the next two, and the one before
  const links = [...document.querySelectorAll(ROW)].filter((link) => link.closest(".qitem"));
  const at = links.findIndex((link) => link.hasAttribute("aria-current"));
  return [links[at + 1], links[at + 2], at > 0 && links[at - 1]].filter(Boolean).map(addressOf);
};
const fetched = async (address) => {
  const headers = { "HX-Request": "true", "HX-Target": "decision", "HX-Current-URL": location.href };
  const answer = await fetch(address, { headers, redirect: "manual", cache: "no-store", priority: "low" });
  if (!answer.ok) throw new Error(answer.status);
  return answer.text();
};
const prefetch = () => {
  if (document.visibilityState !== "visible" || fetching >= AT_ONCE) return;
  const address = beside().find((one) => !fresh(kept.get(one)));
  if (!address) return;
  const one = { text: fetched(address), at: performance.now() };
  kept.set(address, one);
  fetching += 1;
  one.text.catch(() => { if (kept.get(address) === one) one.at = -FRESH; }).finally(() => { fetching -= 1; if (kept.get(address) === one && fresh(one)) prefetch(); });
  prefetch();
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
  wanted = address;
  if (!fresh(one)) return;
  event.preventDefault();
  one.text.then((text) => { if (wanted === address && kept.get(address) === one) show(address, text); else if (wanted === address) elt.click(); }, () => { if (wanted === address) elt.click(); });
});
document.addEventListener("live:news", () => { kept.clear(); prefetch(); });
document.addEventListener("htmx:afterSettle", () => setTimeout(prefetch));
if (document.querySelector(ROW)) prefetch();
