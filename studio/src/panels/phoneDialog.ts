// How a phone performs: the code to scan, or how to share.

import { html, svg, type TemplateResult } from "lit-html";
import { openDialog } from "../controls/dialog";
import { clients, welcome } from "../state/document";
import type { ClientInfo } from "../wire/messages";
import "../style/phone.css";

export function openPhoneDialog(): void {
  openDialog({ name: "phone", title: "Perform with a phone", body });
}

function body(): TemplateResult {
  const phone = welcome.value?.phone;
  if (!phone)
    return html`<p>Start the studio so that others on this network can reach it:</p>
      <pre>arcwright studio --share</pre>
      <p class="quiet">Then open this dialog again. It shows a code to scan with the phone.</p>`;
  return html`<p>Scan this with the phone, on the same network:</p>
    ${code(phone.code)}
    <p class="phone-link">${phone.link}</p>
    <p class="quiet">
      The phone becomes a puppet's stick, or a touch pad for motion cycles. The certificate is your
      own: the phone asks once. Whoever has this link can edit the document.
    </p>
    ${clients.value
      .filter(({ kind }) => kind === "phone")
      .map((each) => html`<p class="phone-client">${phoneText(each)}</p>`)}`;
}

/** "Phone 3: performs biped" */
export function phoneText({ number, role, editing }: ClientInfo): string {
  const does = editing ? `performs ${editing}` : role === "view" ? "looks only" : "connected";
  return `Phone ${number}: ${does}`;
}

/** Dark on light in every theme, with the margin that scanners need. */
function code(rows: readonly string[]): TemplateResult {
  const side = rows.length + 8;
  const dark = rows.flatMap((row, y) =>
    [...row].flatMap((cell, x) => (cell === "1" ? [`M${x + 4} ${y + 4}h1v1h-1z`] : [])),
  );
  return html`<svg class="phone-code" viewBox="0 0 ${side} ${side}" role="img" aria-label="QR code">
    ${svg`<rect width="100%" height="100%" fill="#fff" /><path d=${dark.join("")} fill="#000" />`}
  </svg>`;
}
