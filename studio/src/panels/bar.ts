// The bar: menus, tools, the document's name, the connection to the server, theme and search.

import { effect } from "@preact/signals-core";
import { html, nothing, type TemplateResult } from "lit-html";
import { run } from "../state/commands";
import { clients, documentState, welcome } from "../state/document";
import { theme, tool } from "../state/view";
import { viewOnly } from "../wire/role";
import { line } from "../wire/socket";
import { draw } from "../controls/draw";
import { icon } from "../controls/icons";
import { keyFor } from "../controls/keyFor";
import { leftOpen, rightOpen, toggle } from "./layout";
import { closeMenu, openMenu } from "../controls/menu";
import { MENUS, menuItems, openName } from "./menubar";
import sign from "../style/icon.svg?no-inline";
import { openPhoneDialog, phoneText } from "./phoneDialog";
import { nextTheme, THEMES } from "./theme";
import { toolOf } from "../tools/shared/registry";

export function buildBar(place: HTMLElement): void {
  effect(() => {
    void tool.value;
    requestAnimationFrame(() =>
      place.querySelector("[role=radio][aria-checked=true]")?.scrollIntoView({ block: "nearest" }),
    );
  });
  draw(
    place,
    () =>
      html`<div class="bar-side">
          ${side("left", leftOpen.value)}
          <span class="brand"><img src=${sign} alt="" width="16" height="16" />Arcwright</span>
          <nav class="menus" role="menubar" @keydown=${alongMenus}>${MENUS.map(menuButton)}</nav>
          ${tools()}
        </div>
        ${title()}
        <div class="bar-side bar-end">
          ${role()}${phones()}${lineState()}
          <button class="search" @click=${() => run("help.palette")} aria-label="Search commands">
            ${icon("search")}<span>Search</span><kbd>${keyFor("help.palette")}</kbd>
          </button>
          ${themeButton()}
          <button
            class="plain"
            title="Keyboard shortcuts"
            aria-label="Keyboard shortcuts"
            @click=${() => run("help.keys")}
          >
            <span class="sign">?</span>
          </button>
          ${side("right", rightOpen.value)}
        </div>`,
  );
}

function menuButton(name: (typeof MENUS)[number]): TemplateResult {
  const open = (event: Event) => {
    const button = event.currentTarget as HTMLElement;
    const box = button.getBoundingClientRect();
    openMenu(menuItems(name), box.left, box.bottom + 2, () => (openName.value = null));
    openName.value = name;
  };
  return html`<button
    class="plain"
    role="menuitem"
    aria-haspopup="menu"
    aria-expanded=${openName.value === name}
    @pointerdown=${(event: PointerEvent) => {
      const was = openName.peek() === name;
      event.preventDefault();
      closeMenu();
      if (!was) open(event);
    }}
    @pointerenter=${(event: Event) => openName.peek() && openName.peek() !== name && open(event)}
    @click=${(event: MouseEvent) => event.detail === 0 && open(event)}
  >
    ${name}
  </button>`;
}

function alongMenus(event: KeyboardEvent): void {
  const step = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
  if (!step) return;
  const all = [...(event.currentTarget as HTMLElement).querySelectorAll("button")];
  const at = all.indexOf(event.target as HTMLButtonElement);
  all[(at + step + all.length) % all.length]?.focus();
  event.preventDefault();
}

function tools(): TemplateResult {
  const all = welcome.value?.tools ?? [];
  return html`<div class="switch" role="radiogroup" aria-label="Tool">
    ${all.map(
      (each) =>
        html`<button
          role="radio"
          data-tool=${each.name}
          aria-checked=${tool.value === each.name}
          title=${each.help}
          @click=${() => (tool.value = each.name)}
        >
          ${toolOf(each.name).label}
        </button>`,
    )}
  </div>`;
}

function title(): TemplateResult {
  const info = documentState.value;
  const unsaved = info && !info.saved;
  const file = info?.path?.split(/[\\/]/).pop();
  return html`<div class="title" title=${info?.path ?? ""}>
    <span class="title-name">${file ?? info?.name ?? ""}</span>
    ${unsaved ? html`<span class="dot" role="img" aria-label="Unsaved changes" title="Unsaved changes"></span>` : nothing}
  </div>`;
}

function role(): TemplateResult | typeof nothing {
  if (!viewOnly.value) return nothing;
  return html`<span class="role" title="This link can view the document but not change it"
    >View only</span
  >`;
}

/** Phones that are connected, and what they hold. */
function phones(): TemplateResult | typeof nothing {
  const all = clients.value.filter(({ kind }) => kind === "phone");
  if (!all.length) return nothing;
  return html`<button class="role" title=${all.map(phoneText).join("\n")} @click=${openPhoneDialog}>
    ${all.length === 1 ? "1 phone" : `${all.length} phones`}
  </button>`;
}

function lineState(): TemplateResult | typeof nothing {
  if (line.value === "open") return nothing;
  const text = {
    lost: "Reconnecting…",
    connecting: "Connecting…",
    refused: "Server restarted",
    blocked: "Connection blocked",
  }[line.value];
  return html`<span class="line-state" role="status">${text}</span>`;
}

function themeButton(): TemplateResult {
  const now = THEMES.find((each) => each.name === theme.value) ?? THEMES[0];
  return html`<button
    class="plain"
    title="Theme: ${now.label}"
    aria-label="Theme"
    @click=${nextTheme}
  >
    ${icon(now.icon)}
  </button>`;
}

function side(name: "left" | "right", open: boolean): TemplateResult {
  const what = name === "left" ? "Scene" : "Options";
  return html`<button
    class="plain side-button"
    aria-pressed=${open}
    title="${open ? "Hide" : "Show"} ${what.toLowerCase()}"
    aria-label="${what} panel"
    @click=${() => toggle(name)}
  >
    ${icon(name)}
  </button>`;
}
