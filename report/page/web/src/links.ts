import type { List } from "./list";

/**
 * Follows links to what has no element in the page: #rpc-0x3a2b1c00, #rpc-0x3a2b1c00.2 the second with
 * that XID, #frame-12, #frame-1.12 of the second file. Others are the browser's.
 */
export function startLinks(list: List): void {
  const follow = () => {
    const id = location.hash.slice(1);
    const rpc = /^rpc-0x([0-9a-f]{1,8})(?:\.([1-9][0-9]{0,8}))?$/i.exec(id);
    if (rpc) void list.openXID(parseInt(rpc[1]!, 16), Number(rpc[2] ?? 1));
    const frame = /^frame-((?:[0-9]{1,9}\.)?[0-9]{1,15})$/.exec(id);
    if (frame) void list.openFrame(frame[1]!);
  };
  addEventListener("hashchange", follow);
  // A link that was followed before changes nothing in the address.
  document.addEventListener("click", (e) => {
    const a = (e.target as Element).closest?.("a[href^='#']");
    if (a && !e.defaultPrevented && a.getAttribute("href") === location.hash) follow();
  });
  follow();
}

/**
 * Brings what the address names into sight again: what the script adds moves it. Who has begun to look
 * around is left alone; that is asked for before anything is added.
 */
export function keepTarget(): () => void {
  let alone = false;
  for (const event of ["wheel", "keydown", "pointerdown"]) addEventListener(event, () => alone = true, { once: true, passive: true });
  return () => {
    if (!alone) document.getElementById(location.hash.slice(1))?.scrollIntoView();
  };
}
