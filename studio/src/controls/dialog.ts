// Dialogs: the page's own <dialog>, so that focus stays inside and Esc closes.

import { effect } from "@preact/signals-core";
import { html, nothing, render, type TemplateResult } from "lit-html";
import { icon } from "./icons";
import "../style/dialog.css";

export interface DialogParts {
  name: string; // also its class
  title?: string;
  body: (close: () => void) => TemplateResult;
  closed?: () => void;
}

/** Opens a dialog, in place of one of the same name; the answer closes it. */
export function openDialog({ name, title, body, closed }: DialogParts): () => void {
  document.querySelector<HTMLDialogElement>(`dialog.${name}`)?.close();
  const dialog = document.createElement("dialog");
  dialog.className = name;
  if (title) dialog.setAttribute("aria-label", title);
  document.body.append(dialog);
  const close = () => dialog.close();
  const stop = effect(() => {
    render(html`${title ? heading(title, close) : nothing}${body(close)}`, dialog);
  });
  dialog.addEventListener("pointerdown", (event) => {
    if (event.target === dialog && outside(dialog, event)) close();
  });
  dialog.addEventListener("close", () => {
    stop();
    dialog.remove();
    closed?.();
  });
  dialog.showModal();
  const first = dialog.querySelector<HTMLElement>("[autofocus], :not(header) > button");
  (first ?? dialog).focus();
  return close;
}

function heading(title: string, close: () => void): TemplateResult {
  return html`<header>
    <h1>${title}</h1>
    <button class="plain" aria-label="Close" @click=${close}>${icon("close")}</button>
  </header>`;
}

function outside(dialog: HTMLElement, event: PointerEvent): boolean {
  const box = dialog.getBoundingClientRect();
  return (
    event.clientX < box.left ||
    event.clientX > box.right ||
    event.clientY < box.top ||
    event.clientY > box.bottom
  );
}

export interface Answer {
  label: string;
  main?: boolean;
  run?: () => void;
}

/** A question with a few answers; closing it is none of them. */
export function ask(title: string, text: string, answers: Answer[]): void {
  openDialog({
    name: "question",
    title,
    body: (close) =>
      html`<p>${text}</p>
        <footer>
          ${answers.map(
            (answer) =>
              html`<button
                class=${answer.main ? "main" : ""}
                ?autofocus=${answer.main ?? false}
                @click=${() => {
                  close();
                  answer.run?.();
                }}
              >
                ${answer.label}
              </button>`,
          )}
        </footer>`,
  });
}

/** Another frame rate: what stays, the seconds or the frames? */
export function askRate(rate: number, answer: (keep: "seconds" | "frames") => void): void {
  ask(`${rate} frames per second`, "Keep the speed of the motion, or the frame of each key?", [
    { label: "Keep the speed", main: true, run: () => answer("seconds") },
    { label: "Keep the frames", run: () => answer("frames") },
    { label: "Cancel" },
  ]);
}
