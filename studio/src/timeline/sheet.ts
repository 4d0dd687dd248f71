// The interface of a sheet to pointer input.

import type { MenuItem } from "../controls/menu";
import type { Press } from "./gesture";
import type { Hover } from "./sheetState";

export interface Sheet {
  /** What a press at a place (px) would do. */
  press(x: number, y: number, modifiers: { shift: boolean; ctrl: boolean }): Press;
  hover(x: number, y: number): { hover: Hover | null; cursor: string };
  /** Twice pressed. */
  twice?(x: number, y: number): void;
  menu?(x: number, y: number): MenuItem[];
}
