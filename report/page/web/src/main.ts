import { Data, pause } from "./data";
import { keepTarget, startLinks } from "./links";
import { List } from "./list";
import { make } from "./make";
import { numberLinks } from "./rpclinks";
import { count, grouped } from "./text";
import { startTheme } from "./theme";
import { showConnections, showViews } from "./views";

async function main(): Promise<void> {
  startTheme();
  const letGo = keepTarget();
  const el = document.getElementById("rpc-list");
  try {
    const data = new Data(document);
    let whole = false;
    const finish = () => {
      if (whole) return;
      whole = true;
      numberLinks(data.rows, document.querySelectorAll("#findings .where, #verdict .at, #findings .at"));
      const list = el && new List(el, data);
      showConnections(data);
      if (list) startLinks(list);
    };
    // A printer does not wait.
    addEventListener("beforeprint", () => {
      while (data.readRows());
      finish();
    });
    showViews(data);
    const said = make("p", { class: "rpc-shown" });
    el?.replaceChildren(said);
    while (data.readRows()) {
      said.textContent = `${grouped(data.rows.length)} of ${count(data.meta.totals.rows, "RPC")} read`;
      await pause();
    }
    finish();
    // What comes into sight now is filled soon. Not every browser tells of who drags its scroll bar.
    setTimeout(letGo, 3000);
  } catch (e) {
    el?.replaceChildren(make("p", { class: "missing" }, `The data of the page could not be read: ${String(e)}`));
    throw e;
  }
}

void main();
