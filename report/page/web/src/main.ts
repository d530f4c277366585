import { Data } from "./data";
import { showList } from "./list";
import { startTheme } from "./theme";
import { showConnections, showViews } from "./views";

async function main(): Promise<void> {
  startTheme();
  const data = await Data.open(document);
  showViews(data);
  await data.readRows(() => {});
  const list = document.getElementById("rpc-list");
  if (list) showList(list, data);
  showConnections(data);
}

void main();
