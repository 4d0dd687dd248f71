// Icons on a 16 px grid, in the colour of the surrounding text.

import { svg, html, type TemplateResult } from "lit-html";

const DRAWN = {
  pin: svg`<circle cx="8" cy="5" r="3.2" fill="currentColor"/><path d="M8 8v6"/>`,
  contact: svg`<path d="M3 10a5 5 0 0 1 10 0z" fill="currentColor"/><path d="M1.5 13h13"/>`,
  footplant: svg`<path d="M3.5 10a4.5 4.5 0 0 1 9 0z"/><path d="M1.5 13h13"/>`,
  distance: svg`<path d="M4.5 8h7"/><circle cx="2.8" cy="8" r="1.7"/><circle cx="13.2" cy="8" r="1.7"/><path d="m6.5 6-2 2 2 2m3-4 2 2-2 2"/>`,
  floor: svg`<path d="M1.5 12h13M3 14.5 5 12m3 2.5L10 12m3 2.5 1-1.3"/><path d="M8 10V3M5.5 5.5 8 3l2.5 2.5"/>`,
  region: svg`<path d="M2.5 5 8 2.2 13.5 5v6L8 13.8 2.5 11z" stroke-dasharray="2.4 1.8"/><circle cx="8" cy="8" r="1.6" fill="currentColor"/>`,
  path: svg`<path d="M2.5 12.5c2-7 4-2 6-5s3-4 5-4"/><circle cx="2.5" cy="12.5" r="1.4" fill="currentColor"/><circle cx="8" cy="8" r="1.4" fill="currentColor"/><circle cx="13.5" cy="3.5" r="1.4" fill="currentColor"/>`,
  coincident: svg`<path d="M3 4.5c4-2.5 10-1 10 3.5s-6 6-10 3.5"/><path d="m5.5 9.5-2.7 2 1.2 2.8"/><circle cx="3" cy="4.5" r="1.4" fill="currentColor"/>`,
  orientation: svg`<circle cx="8" cy="8" r="5" stroke-dasharray="20 12"/><path d="M8 8V3.2M8 8l4 2"/>`,
  balance: svg`<circle cx="8" cy="5" r="2.6"/><path d="M8 7.6V13M3.5 13h9"/><path d="M8 5V3.6M8 5h1.4"/>`,
  flight: svg`<path d="M2 13C4 3 12 3 14 13" stroke-dasharray="2.4 2"/><circle cx="8" cy="5.4" r="1.7" fill="currentColor"/>`,
  constraint: svg`<circle cx="8" cy="8" r="5"/><path d="M8 3V1.2M8 14.8V13M3 8H1.2M14.8 8H13"/>`,
  add: svg`<path d="M8 3.5v9M3.5 8h9"/>`,
  figure: svg`<circle cx="8" cy="3.5" r="1.8"/><path d="M8 5.5v4.2M4.2 7.2h7.6M8 9.7l-2.6 4.5M8 9.7l2.6 4.5"/>`,
  prop: svg`<path d="M8 1.8 13.5 4.8v6.4L8 14.2 2.5 11.2V4.8zM2.5 4.8 8 7.9l5.5-3.1M8 7.9v6.3"/>`,
  recorded: svg`<circle cx="8" cy="8" r="5.5"/><circle cx="8" cy="8" r="2" fill="currentColor"/>`,
  take: svg`<path d="M2 12c3 0 3-8 6-8s3 8 6 8"/>`,
  joint: svg`<circle cx="8" cy="8" r="2.6"/>`,
  length: svg`<path d="M2 4.5v7M14 4.5v7M4.5 8h7"/><path d="m6.2 6-2 2 2 2m3.6-4 2 2-2 2"/>`,
  link: svg`<path d="M6.8 9.2a2.7 2.7 0 0 0 3.8 0l2.3-2.3a2.7 2.7 0 0 0-3.8-3.8l-.9.9M9.2 6.8a2.7 2.7 0 0 0-3.8 0L3.1 9.1a2.7 2.7 0 0 0 3.8 3.8l.9-.9"/>`,
  lock: svg`<path d="M3.8 7.2h8.4v6H3.8z" fill="currentColor"/><path d="M5.5 7.2V5a2.5 2.5 0 0 1 5 0v2.2"/>`,
  root: svg`<path d="M8 1.8v12.4M1.8 8h12.4"/><path d="m6.3 3.5 1.7-1.7 1.7 1.7m0 9L8 14.2l-1.7-1.7M3.5 9.7 1.8 8l1.7-1.7m9 0L14.2 8l-1.7 1.7"/>`,
  up: svg`<path d="M8 13V3.5M4 7.3l4-4 4 4"/>`,
  down: svg`<path d="M8 3v9.5M4 8.7l4 4 4-4"/>`,
  check: svg`<path d="m3 8.5 3.5 3.5L13 4.5"/>`,
  close: svg`<path d="m4 4 8 8m0-8-8 8"/>`,
  folder: svg`<path d="M1.8 12.7V3.8h4l1.6 1.8h6.8v7.1z"/>`,
  file: svg`<path d="M3.8 1.8h5.6l2.8 2.9v9.5H3.8z M9.4 1.8v2.9h2.8"/>`,
  search: svg`<circle cx="7" cy="7" r="4.3"/><path d="m10.3 10.3 3.7 3.7"/>`,
  sun: svg`<circle cx="8" cy="8" r="2.8"/><path d="M8 1.3v1.5M8 13.2v1.5M1.3 8h1.5M13.2 8h1.5M3.3 3.3l1 1M11.7 11.7l1 1M12.7 3.3l-1 1M4.3 11.7l-1 1"/>`,
  moon: svg`<path d="M13.3 9.6A5.8 5.8 0 0 1 6.4 2.7a5.8 5.8 0 1 0 6.9 6.9z"/>`,
  screen: svg`<path d="M1.8 2.8h12.4v8H1.8zM5.5 13.7h5M8 10.8v2.9"/>`,
  left: svg`<path d="M1.8 2.8h12.4v10.4H1.8zM5.8 2.8v10.4"/>`,
  right: svg`<path d="M1.8 2.8h12.4v10.4H1.8zM10.2 2.8v10.4"/>`,
  note: svg`<path d="M8 1.5 14.5 8 8 14.5 1.5 8zM8 5v3.6M8 10.9v.1"/>`,
  info: svg`<circle cx="8" cy="8" r="6"/><path d="M8 7.4v3.8M8 4.9v.1"/>`,
  eye: svg`<path d="M1.5 8S4 3.8 8 3.8 14.5 8 14.5 8 12 12.2 8 12.2 1.5 8 1.5 8z"/><circle cx="8" cy="8" r="1.9" fill="currentColor"/>`,
  shut: svg`<path d="M1.5 7.2S4 10.8 8 10.8s6.5-3.6 6.5-3.6M3.6 9.6 2.4 11.4M8 10.8V13M12.4 9.6l1.2 1.8"/>`,
  more: svg`<path d="M3.5 8h.01M8 8h.01M12.5 8h.01" stroke-width="2"/>`,
  clock: svg`<circle cx="8" cy="8" r="6"/><path d="M8 4.5V8l2.4 1.6"/>`,
} as const;

export type IconName = keyof typeof DRAWN;

export function icon(name: IconName): TemplateResult {
  return html`<svg class="icon" viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
    ${DRAWN[name]}
  </svg>`;
}

/** The icon of a kind of constraint; one for all kinds that have none of their own. */
export function constraintIcon(kind: string): TemplateResult {
  return icon(kind in DRAWN ? (kind as IconName) : "constraint");
}
