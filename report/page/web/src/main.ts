import { Data } from "./data";
import { keepTarget, startLinks } from "./links";
import { List } from "./list";
import { make } from "./make";
import { numberLinks } from "./rpclinks";
import { count, grouped } from "./text";
import { startTheme } from "./theme";
import { showConnections, showViews } from "./views";

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
    el?.replaceChildren(make("p", { class: "missing" }, `The data of the page could not be read: ${String(e)}`));
    throw e;
  }
}

void main();
