// Menu items of a detected footplant.

import { acceptFootplants, rejectFootplant, type Footplant } from "../state/footplants";
import type { MenuItem } from "./menu";

export function footplantItems(footplant: Footplant): MenuItem[] {
  return [
    { label: "Accept detected footplants as contacts", run: acceptFootplants },
    { label: "Accept the others, reject this one", run: () => rejectFootplant(footplant) },
  ];
}
