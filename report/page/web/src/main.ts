import { Address } from "./address";
import { Data, pause } from "./data";
import { holdTargetInView, startLinks } from "./links";
import { List } from "./list";
import { make } from "./make";
import { startMenu } from "./menu";
import { linkTimeToAddress, hideOtherTimes } from "./narrow";
import { pictureModel, showPicture } from "./picture/picture";
import { numberLinks } from "./rpclinks";
import { count, grouped } from "./text";
import { startTheme } from "./theme";
import { Timeline } from "./timeline";
import { showConnections, showViews } from "./views";

async function main(): Promise<void> {
  startTheme();
  startMenu();
  const address = new Address();
  const releaseTarget = holdTargetInView();
  const el = document.getElementById("rpc-list");
  try {
    const data = new Data(document);
    let whole = false;
    const finish = () => {
      if (whole) return;
      whole = true;
      numberLinks(data.rows, document.querySelectorAll("#findings .where, #verdict .at, #findings .at"));
      const list = el && new List(el, data, address);
      showConnections(data, showWhole(data, list, address));
      if (!list) return;
      startLinks(list, data.meta);
      list.restore(); // the time that is shown, and the row that is open, have moved it
    };
    // A printer does not wait.
    addEventListener("beforeprint", () => {
      while (data.readRows());
      finish();
    });
    showViews(data);
    const progress = make("p", { class: "rpc-shown" });
    el?.replaceChildren(progress);
    while (data.readRows()) {
      progress.textContent = `${grouped(data.rows.length)} of ${count(data.meta.totals.rows, "RPC")} read`;
      await pause();
    }
    finish();
    // What becomes visible now is filled soon. Not every browser reports the dragging of its scroll bar.
    setTimeout(releaseTarget, 3000);
  } catch (e) {
    el?.replaceChildren(make("p", { class: "missing" }, `The data of the page could not be read: ${String(e)}`));
    throw e;
  }
}

/** Draws the picture of the whole capture, whose time the rest of the page follows; undefined if the capture has no times. */
function showWhole(data: Data, list: List | null, address: Address): Timeline | undefined {
  const el = document.querySelector<HTMLElement>("#picture .picture");
  const model = pictureModel(data), [from, to] = model.range;
  if (!el || from === to) {
    el?.replaceChildren(make("p", { class: "missing" }, "There is nothing to draw: the capture has no RPC-over-RDMA, or all frames have the same time."));
    el?.classList.remove("coming");
    return undefined;
  }
  const timeline = new Timeline([from / 1e9, to / 1e9], Math.max(1e-6, (to - from) / 1e9 / 1e5));
  el.classList.remove("coming");
  showPicture(el, data, model, timeline);
  hideOtherTimes(timeline, data);
  list?.followTimeline(timeline);
  linkTimeToAddress(timeline, address);
  return timeline;
}

void main();
