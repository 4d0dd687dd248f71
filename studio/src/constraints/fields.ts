// Fields of constraints as panels show them, built from the server's description of the kinds.

import { welcome } from "../state/document";
import type { Constraint, ConstraintKindInfo, FieldInfo } from "../wire/messages";

/** What edits a field: a control for its quantity, or a special one for regions and paths. */
export type Editor =
  "number" | "toggle" | "choice" | "point" | "vector" | "angles" | "region" | "path";

const EDITORS: Partial<Record<FieldInfo["quantity"], Editor>> = {
  number: "number",
  length: "number",
  flag: "toggle",
  choice: "choice",
  point: "point",
  position: "vector",
  direction: "vector",
  orientation: "angles",
  region: "region",
  positions: "path",
};

export interface PanelField extends FieldInfo {
  editor: Editor;
}

export function kindOf(kind: string): ConstraintKindInfo | undefined {
  return welcome.value?.constraint_kinds.find((each) => each.kind === kind);
}

/** "Keep distance". */
export function kindLabel(kind: string): string {
  return kindOf(kind)?.label ?? kind;
}

/** All fields of a kind that its panel shows; frames are shown for all kinds alike. */
export function panelFields(kind: string): PanelField[] {
  return (kindOf(kind)?.fields ?? []).flatMap((field) => {
    const editor = EDITORS[field.quantity];
    return editor ? [{ ...field, editor }] : [];
  });
}

export function valueOf(constraint: Constraint, name: string): unknown {
  return (constraint as unknown as Record<string, unknown>)[name];
}

export function withValue(constraint: Constraint, name: string, value: unknown): Constraint {
  return { ...constraint, [name]: value };
}
