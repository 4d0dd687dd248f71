// Poses for comparison: before the last edit, and without layers.

import { barePoses, lastEdit, takeName, takeOf, type Poses } from "../state/document";
import { compare, original } from "../state/view";
import { takeShown } from "../state/shownTakes";

/** All that a character's motion is compared with now. */
export function comparedPoses(name: string): Poses[] {
  const at = takeName(name, takeShown(name));
  const found: Poses[] = [];
  const before = compare.value ? lastEdit.value?.before.get(at) : undefined;
  if (before) found.push(before);
  const layered = takeOf(name, takeShown(name))?.layers.length ?? 0;
  const bare = original.value && layered > 0 ? barePoses.value.get(at) : undefined;
  if (bare) found.push(bare);
  return found;
}
