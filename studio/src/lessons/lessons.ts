// Short lessons, from the Help menu or the chip on a first visit.

import { signal } from "@preact/signals-core";
import { html, nothing, type TemplateResult } from "lit-html";
import { draw, placeIn } from "../controls/draw";
import { icon } from "../controls/icons";
import { openMenu } from "../controls/menu";
import { addCommands } from "../state/commands";
import { recording } from "../state/recording";
import { documentState } from "../state/document";
import { ARC } from "./arc";
import { lessonCard } from "./card";
import { COMPLETE_KEYS } from "./complete";
import { COMPOSE } from "./compose";
import { begin, finished, going, startGuide } from "./guide";
import { LOOP } from "./loop";
import { PLANTED } from "./planted";
import { startPointer } from "./pointer";
import { POSE } from "./pose";
import { POUR_ELSEWHERE } from "./pour";
import { PUPPET } from "./puppet";
import "../style/lessons.css";

export const LESSONS = [ARC, POSE, PLANTED, LOOP, PUPPET, POUR_ELSEWHERE, COMPLETE_KEYS, COMPOSE];

const HIDDEN = "arcwright.lessons.hidden";
const chipHidden = signal(localStorage.getItem(HIDDEN) === "true");

export function buildLessons(stage: HTMLElement): void {
  addCommands(
    LESSONS.map((lesson) => ({
      id: `help.lesson_${lesson.id}`,
      label: `Lesson: ${lesson.title}`,
      group: "Help" as const,
      checked: () => finished.value.includes(lesson.id),
      run: () => begin(lesson),
    })),
  );
  startGuide();
  startPointer();
  draw(placeIn(stage, "over-lesson"), () => html`${lessonCard(LESSONS)}${chip()}`);
}

function chip(): TemplateResult | typeof nothing {
  if (
    going.value ||
    recording.value || // its strip lies there
    chipHidden.value ||
    !documentState.value ||
    finished.value.length === LESSONS.length
  )
    return nothing;
  return html`<span class="lesson-chip">
    <button @click=${choose} aria-haspopup="menu">
      Lessons <span class="quiet">${finished.value.length} of ${LESSONS.length}</span>
    </button>
    <button
      class="plain tiny"
      aria-label="Hide lessons"
      title="They stay in the Help menu"
      @click=${hide}
    >
      ${icon("close")}
    </button>
  </span>`;
}

function choose(event: Event): void {
  const box = (event.currentTarget as HTMLElement).getBoundingClientRect();
  const items = LESSONS.map((lesson) => ({
    label: lesson.title,
    checked: finished.peek().includes(lesson.id),
    run: () => begin(lesson),
  }));
  openMenu(items, box.left, box.top - 28 * LESSONS.length - 8);
}

function hide(): void {
  chipHidden.value = true;
  localStorage.setItem(HIDDEN, "true");
}
