import { defineConfig } from "vitest/config";

// Node 20 has no Map.groupBy, which the reporter needs to print a failed test.
if (!("groupBy" in Map)) Object.defineProperty(Map, "groupBy", { value: groupBy });

function groupBy<K, T>(items: Iterable<T>, keyOf: (item: T, index: number) => K): Map<K, T[]> {
  const groups = new Map<K, T[]>();
  let index = 0;
  for (const item of items) {
    const key = keyOf(item, index++);
    groups.set(key, [...(groups.get(key) ?? []), item]);
  }
  return groups;
}

// Style sheets are read by a test of their colours; without this they are empty.
export default defineConfig({ test: { css: true } });
