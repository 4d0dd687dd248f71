// Commands of recording, and what ends one.

import { addCommands } from "../state/commands";
import { commitOpen, interaction } from "../state/interaction";
import { recording } from "../state/recording";
import { activeTool } from "../tools/shared/registry";
import type { Stage } from "../viewport/stage";
import { viewOnly } from "../wire/role";
import { recordAgain, startRecording, stopRecording } from "./recorder";

const performs = () => activeTool().gestures.includes("performance") && !viewOnly.value;
const isReviewed = () => recording.value?.phase === "review" && interaction.value?.open === true;

export function addRecordCommands(stage: Stage): void {
  addCommands([
    {
      id: "time.record",
      label: "Record a performance",
      group: "Time",
      hotkey: "Shift+Space",
      enabled: performs,
      why: "This tool cannot be performed: choose another one to record.",
      run: () => {
        if (recording.peek() && recording.peek()?.phase !== "review") stopRecording();
        else startRecording(stage);
      },
    },
    {
      id: "time.record_keep",
      label: "Keep recording",
      group: "Time",
      enabled: isReviewed,
      run: commitOpen,
    },
    {
      id: "time.record_again",
      label: "Record again",
      group: "Time",
      enabled: () => performs() && isReviewed(),
      run: () => recordAgain(stage),
    },
  ]);
}
