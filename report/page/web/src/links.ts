import { absentConnection, absentFinding } from "./absent";
import { anchorOf, parseAddress } from "./address";
import type { List } from "./list";
import type { Meta } from "./model";
import { parseRPCLink } from "./rpclinks";

/**
 * Follows links to what has no element in the page: #rpc-0x3a2b1c00, #rpc-0x3a2b1c00.2 the second with
 * that XID, #compare-0x3a2b1c00-0x3a2b1c01, #frame-12, #frame-1.12 of the second file. The browser follows all others, except those to connections and findings that are not in the page.
 */
export function startLinks(list: List, meta: Meta): void {
  // If the address has view state, the filter it contains is kept even if it hides the target.
  const follow = (keepFilter: boolean) => {
    const id = anchorOf(location.hash);
    const [rpc] = parseRPCLink("rpc", id);
    const [first, second] = parseRPCLink("compare", id);
    if (rpc) list.openXID(...rpc, keepFilter);
    if (first && second) list.compare([first, second], keepFilter);
    const frame = /^frame-((?:[0-9]{1,9}\.)?[1-9][0-9]{0,14})$/.exec(id);
    if (frame) void list.openFrame(frame[1]!, keepFilter);
    const other = /^(connection|finding)-([1-9][0-9]{0,9})$/.exec(id);
    if (!other || document.getElementById(id)) return;
    const number = Number(other[2]);
    list.showMissing(other[1] === "finding" ? absentFinding(number, document.querySelectorAll(".finding").length) : absentConnection(meta, number));
    list.focus();
  };
  const hasViewState = (url: string) => parseAddress(new URL(url).hash).state.size > 0;
  addEventListener("hashchange", (e) => follow(hasViewState(e.newURL)));
  // A link that was followed before changes nothing in the address.
  document.addEventListener("click", (e) => {
    const a = (e.target as Element).closest?.("a[href^='#']");
    if (a && !e.defaultPrevented && a.getAttribute("href") === location.hash) follow(false);
  });
  follow(hasViewState(location.href));
}

/**
 * Keeps the target of the address visible while the script adds to the page, until the reader scrolls,
 * presses a key or clicks, or the returned function is called. For an RPC or a frame, the target is the
 * focused element below the list.
 */
export function holdTargetInView(): () => void {
  const added = new ResizeObserver(() => {
    const named = document.getElementById(anchorOf(location.hash));
    if (named) named.scrollIntoView();
    else if (document.activeElement?.closest(".rpc-panel")) document.activeElement.scrollIntoView({ block: "nearest" });
  });
  for (const event of ["wheel", "keydown", "pointerdown"]) {
    addEventListener(event, () => added.disconnect(), { once: true, passive: true });
  }
  added.observe(document.body);
  return () => added.disconnect();
}
