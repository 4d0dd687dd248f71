// Icons of the transport row, on a 16 px grid.

import { html, svg, type TemplateResult } from "lit-html";

const DRAWN = {
  first: svg`<path d="M3.5 3.5v9"/><path d="m12.5 3.5-6 4.5 6 4.5z" fill="currentColor"/>`,
  last: svg`<path d="M12.5 3.5v9"/><path d="m3.5 3.5 6 4.5-6 4.5z" fill="currentColor"/>`,
  previousKey: svg`<path d="m7.5 4-4 4 4 4"/><path d="m11.5 5.4 2.6 2.6-2.6 2.6L8.9 8z" fill="currentColor" stroke="none"/>`,
  nextKey: svg`<path d="m8.5 4 4 4-4 4"/><path d="M4.5 5.4 7.1 8l-2.6 2.6L1.9 8z" fill="currentColor" stroke="none"/>`,
  previousFrame: svg`<path d="M11.5 3.8 6 8l5.5 4.2"/>`,
  nextFrame: svg`<path d="M4.5 3.8 10 8l-5.5 4.2"/>`,
  autoKey: svg`<path d="M8 2.5 13 8l-5 5.5L3 8z" fill="currentColor"/><circle cx="12.5" cy="12.5" r="2"/>`,
  play: svg`<path d="M4.5 2.8 13 8l-8.5 5.2z" fill="currentColor"/>`,
  pause: svg`<path d="M5.2 3.5v9M10.8 3.5v9" stroke-width="2.6"/>`,
  record: svg`<circle cx="8" cy="8" r="4.6" fill="currentColor"/>`,
  stop: svg`<path d="M4 4h8v8H4z" fill="currentColor"/>`,
  more: svg`<path d="m4.5 6.5 3.5 3.5 3.5-3.5"/>`,
  loop: svg`<path d="M3 9.5V7.2c0-1.5 1.2-2.7 2.7-2.7h7M13 6.5v2.3c0 1.5-1.2 2.7-2.7 2.7h-7"/><path d="m10.8 2.5 2 2-2 2M5.2 9.5l-2 2 2 2"/>`,
  once: svg`<path d="M2.5 8h9M8.5 4.8 11.7 8l-3.2 3.2M13.7 4v8"/>`,
  pingpong: svg`<path d="M2.5 8h11M5 5.5 2.5 8 5 10.5M11 5.5 13.5 8 11 10.5"/>`,
  snap: svg`<path d="M4 2.5v6a4 4 0 0 0 8 0v-6M4 5h0M2.6 5.3h2.8M10.6 5.3h2.8"/>`,
  follow: svg`<path d="M2.5 5.5v-3h3M10.5 2.5h3v3M13.5 10.5v3h-3M5.5 13.5h-3v-3"/><circle cx="8" cy="8" r="1.8" fill="currentColor"/>`,
  ghosts: svg`<circle cx="5.5" cy="8" r="3.2" opacity=".55"/><circle cx="10" cy="8" r="3.8"/>`,
  speed: svg`<path d="M2.5 12a5.8 5.8 0 1 1 11 0"/><path d="m8 11 3-4.5"/>`,
  sound: svg`<path d="M2.5 6v4h2.5l3.5 3V3L5 6z" fill="currentColor"/><path d="M10.8 5.6a3.4 3.4 0 0 1 0 4.8M12.6 3.8a6 6 0 0 1 0 8.4"/>`,
  muted: svg`<path d="M2.5 6v4h2.5l3.5 3V3L5 6z" fill="currentColor"/><path d="m10.8 6 3.4 4m0-4-3.4 4"/>`,
  filter: svg`<path d="M2.5 3.5h11L9.5 8.3v4.2l-3-1.5V8.3z"/>`,
} as const;

export type IconName = keyof typeof DRAWN;

export function icon(name: IconName): TemplateResult {
  return html`<svg class="icon" viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
    ${DRAWN[name]}
  </svg>`;
}
