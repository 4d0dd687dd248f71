import "./style/tokens.css";
import "./style/shell.css";
import { buildShell } from "./panels/shell";
import { startAsking } from "./state/ask";
import { hear } from "./state/hear";
import { connect } from "./wire/socket";

const root = document.getElementById("studio");
if (!root) throw new Error("the page has no place for the studio");
buildShell(root);
startAsking();
connect(hear, () => {});
