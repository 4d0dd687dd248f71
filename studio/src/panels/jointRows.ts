// The joints of a rig as rows of a tree.

export interface JointRow {
  joint: number;
  depth: number;
  parent: boolean; // has joints below it
  open: boolean;
}

const OPEN_DEPTH = 4; // hips to upper arm; fingers begin folded

export interface Tree {
  joints: readonly string[];
  parents: readonly number[]; // before their children; -1 is none
}

/**
 * Rows from the root down. `turned` holds joints that were expanded or collapsed, `needed` those
 * that must be seen. With a filter, the joints that match and all above them.
 */
export function jointRows(
  tree: Tree,
  turned: ReadonlySet<string>,
  needed: ReadonlySet<string>,
  filter: string,
): JointRow[] {
  const children = childrenOf(tree);
  const wanted = filter.trim() ? matching(tree, filter) : null;
  const path = above(tree, (name) => needed.has(name));
  const rows: JointRow[] = [];
  const visit = (joint: number, depth: number) => {
    if (wanted && !wanted.has(joint)) return;
    const name = tree.joints[joint] ?? "";
    const below = children.get(joint) ?? [];
    const open = wanted !== null || path.has(joint) || depth < OPEN_DEPTH !== turned.has(name);
    rows.push({ joint, depth, parent: below.length > 0, open });
    if (open) for (const child of below) visit(child, depth + 1);
  };
  for (const root of children.get(-1) ?? []) visit(root, 0);
  return rows;
}

function childrenOf(tree: Tree): Map<number, number[]> {
  const children = new Map<number, number[]>();
  tree.parents.forEach((parent, joint) => {
    const own = children.get(parent);
    if (own) own.push(joint);
    else children.set(parent, [joint]);
  });
  return children;
}

function matching(tree: Tree, filter: string): Set<number> {
  const words = filter.toLowerCase().split(/\s+/).filter(Boolean);
  const fits = (name: string) => words.every((word) => name.toLowerCase().includes(word));
  const found = above(tree, fits);
  tree.joints.forEach((name, joint) => fits(name) && found.add(joint));
  return found;
}

/** All joints above those that fit. */
function above(tree: Tree, fits: (name: string) => boolean): Set<number> {
  const found = new Set<number>();
  tree.joints.forEach((name, joint) => {
    if (!fits(name)) return;
    for (let at = tree.parents[joint] ?? -1; at >= 0; at = tree.parents[at] ?? -1) found.add(at);
  });
  return found;
}
