import { expect, test } from "vitest";

const sources = import.meta.glob<string>("./**/*.ts", {
  query: "?raw",
  import: "default",
  eager: true,
});

/** The files a file imports, types included, by path from this folder. */
function importsOf(path: string): string[] {
  const folder = path.split("/").slice(0, -1);
  const named = sources[path]!.matchAll(/(?:from|import|import\()\s*"(\.[^"]+)"/g);
  return [...named].flatMap(([, relative]) => {
    const parts = [...folder];
    for (const part of relative!.split("/"))
      if (part === "..") parts.pop();
      else if (part !== ".") parts.push(part);
    const found = `${parts.join("/")}.ts`;
    return found in sources ? [found] : [];
  });
}

/** The first cycle found by a depth-first walk, as the files on it. */
function cycleIn(graph: ReadonlyMap<string, readonly string[]>): string[] {
  const finished = new Set<string>();
  const walk = (at: string, path: readonly string[]): string[] => {
    if (path.includes(at)) return [...path.slice(path.indexOf(at)), at];
    if (finished.has(at)) return [];
    for (const next of graph.get(at) ?? []) {
      const found = walk(next, [...path, at]);
      if (found.length) return found;
    }
    finished.add(at);
    return [];
  };
  for (const at of graph.keys()) {
    const found = walk(at, []);
    if (found.length) return found;
  }
  return [];
}

test("the walk finds a cycle of three files", () => {
  const graph = new Map([
    ["a", ["b"]],
    ["b", ["c", "d"]],
    ["c", []],
    ["d", ["a"]],
  ]);
  expect(cycleIn(graph)).toEqual(["a", "b", "d", "a"]);
});

test("no file imports itself by way of others, types included", () => {
  const graph = new Map(Object.keys(sources).map((path) => [path, importsOf(path)]));
  expect([...graph.values()].flat().length).toBeGreaterThan(500);
  expect(cycleIn(graph)).toEqual([]);
});

/** Tool names as whole string literals; in lessons and tests they may be named. */
const TOOL_FILES = Object.keys(sources).filter((path) => /^\.\/tools\/\w+\.ts$/.test(path));
const EXCEPT = /^\.\/(tools|lessons)\/|\.test\.ts$|^\.\/wire\/messages\.ts$/;
// a float array, a plural, a kind of extrapolation
const NOT_TOOLS = ['arrays["pose"]', '? "pose" : "poses"', '["cycle", "Cycle"]'];

test("only the registry knows tools by name", () => {
  const names = TOOL_FILES.map((path) => path.slice("./tools/".length, -".ts".length));
  expect(names).toContain("spacetime");
  const literal = new RegExp(`["'\`](${names.join("|")})["'\`]`);
  const named = Object.keys(sources).filter((path) => {
    if (EXCEPT.test(path)) return false;
    const text = NOT_TOOLS.reduce((left, each) => left.replaceAll(each, ""), sources[path]!);
    return literal.test(text) || text.includes("/tools/") !== text.includes("/tools/shared/");
  });
  expect(named).toEqual([]);
});

test("each file of tools/ states the tool of its own name, and none imports the registry", () => {
  for (const path of TOOL_FILES) {
    expect(sources[path]).toContain("export const tool: ToolFile");
    expect(importsOf(path)).not.toContain("./tools/shared/registry.ts");
  }
});
