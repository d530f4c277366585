import { Data } from "./data";
import { keepTarget, startLinks } from "./links";
import { List } from "./list";
import { make } from "./make";
import { numberLinks } from "./rpclinks";
import { count, grouped } from "./text";
import { startTheme } from "./theme";
import { showConnections, showViews } from "./views";

/** What the data of the page need came with Chrome and Edge 103, Firefox 113 and Safari 16.4. */
const tooOld = "This browser is too old for the data of this page: ladder diagrams, octets, charts and the list of RPCs " +
  "need one of 2023 or later. The words are all here.";

async function main(): Promise<void> {
  startTheme();
  keepTarget();
  const el = document.getElementById("rpc-list");
  try {
    const data = await Data.open(document);
    showViews(data);
    const said = make("p", { class: "rpc-shown" });
    el?.replaceChildren(said);
    await data.readRows((n) => said.textContent = `${grouped(n)} of ${count(data.meta.totals.rows, "RPC")} read`);
    numberLinks(data.rows, document.querySelectorAll("#findings .finding"));
    if (el) startLinks(new List(el, data));
    await showConnections(data);
  } catch (e) {
    const old = typeof DecompressionStream === "undefined";
    el?.replaceChildren(make("p", { class: "missing" }, old ? tooOld : `The data of the page could not be read: ${String(e)}`));
    if (old) document.getElementById("top")?.append(make("p", { class: "noscript" }, tooOld));
    throw e;
  }
}

void main();
