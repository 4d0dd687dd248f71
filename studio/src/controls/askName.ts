// A dialog that asks for a name.

import { html } from "lit-html";
import { openDialog } from "./dialog";

export function askName(title: string, first: string, answer: (name: string) => void): void {
  openDialog({
    name: "naming",
    title,
    body: (close) =>
      html`<form
        @submit=${(event: SubmitEvent) => {
          event.preventDefault();
          const name = new FormData(event.target as HTMLFormElement).get("name");
          if (typeof name !== "string" || !name.trim()) return;
          close();
          answer(name.trim());
        }}
      >
        <input
          name="name"
          aria-label="Name"
          autofocus
          autocomplete="off"
          maxlength="100"
          .value=${first}
          @focus=${(event: Event) => (event.target as HTMLInputElement).select()}
        />
        <footer>
          <button type="submit" class="main">${title}</button>
          <button type="button" @click=${close}>Cancel</button>
        </footer>
      </form>`,
  });
}
