import { absentConnection, absentFinding } from "./absent";
import { anchorOf, parseAddress } from "./address";
import type { List } from "./list";
import type { Meta } from "./model";
import { rpcsNamed } from "./rpclinks";

/**
 * Follows links to what has no element in the page: #rpc-0x3a2b1c00, #rpc-0x3a2b1c00.2 the second with
 * that XID, #compare-0x3a2b1c00-0x3a2b1c01, #frame-12, #frame-1.12 of the second file. Others are the browser's, but for connections and findings that are not here.
 */
export function startLinks(list: List, meta: Meta): void {
  // An address that says how the page is shown is not to be changed for what it names.
  const follow = (kept: boolean) => {
    const id = anchorOf(location.hash);
    const [rpc] = rpcsNamed("rpc", id);
    const [first, second] = rpcsNamed("compare", id);
    if (rpc) list.openXID(...rpc, kept);
    if (first && second) list.compare([first, second], kept);
    const frame = /^frame-((?:[0-9]{1,9}\.)?[1-9][0-9]{0,14})$/.exec(id);
    if (frame) void list.openFrame(frame[1]!, kept);
    const other = /^(connection|finding)-([1-9][0-9]{0,9})$/.exec(id);
    if (!other || document.getElementById(id)) return;
    const number = Number(other[2]);
    list.missing(other[1] === "finding" ? absentFinding(number, document.querySelectorAll(".finding").length) : absentConnection(meta, number));
    list.focus();
  };
  const says = (url: string) => parseAddress(new URL(url).hash).state.size > 0;
  addEventListener("hashchange", (e) => follow(says(e.newURL)));
  // A link that was followed before changes nothing in the address.
  document.addEventListener("click", (e) => {
    const a = (e.target as Element).closest?.("a[href^='#']");
    if (a && !e.defaultPrevented && a.getAttribute("href") === location.hash) follow(false);
  });
  follow(says(location.href));
}

/**
 * Holds what the address names in sight while the script adds to the page, until somebody begins to
 * look around or what is returned is called. That is listened for before anything is added. Of an RPC
 * or a frame it is what has the focus below the list.
 */
export function keepTarget(): () => void {
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
