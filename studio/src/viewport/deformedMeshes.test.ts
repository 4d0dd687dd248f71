import { BufferAttribute, BufferGeometry, Mesh, Points } from "three";
import { expect, test } from "vitest";
import { DeformedMeshes } from "./deformedMeshes";

function triangle(): BufferGeometry {
  const geometry = new BufferGeometry();
  geometry.setAttribute("position", new BufferAttribute(new Float32Array(9).fill(1), 3));
  geometry.setAttribute("normal", new BufferAttribute(new Float32Array(9), 3));
  return geometry;
}

const preview = (...moved: number[]) => {
  return { actor: "tree", shape: 0, part: 0, moved: new Float32Array(moved) };
};
const places = (part: Mesh | Points) => [...part.geometry.getAttribute("position").array];

test("vertices move, one that shares the geometry stays, and all goes back", () => {
  const shared = triangle();
  const [near, far] = [new Mesh(shared), new Mesh(shared)];
  const deformed = new DeformedMeshes();
  deformed.show([{ part: near, mesh: preview(1, 0, 2, 0) }]);
  expect(places(near)).toEqual([1, 1, 1, 1, 3, 1, 1, 1, 1]);
  expect(near.geometry.getAttribute("normal")).toBe(shared.getAttribute("normal"));
  expect(places(far)).toEqual(Array(9).fill(1));
  deformed.show([{ part: near, mesh: preview(2, 0, 0, 4) }]);
  expect(places(near)).toEqual([1, 1, 1, 1, 1, 1, 1, 1, 5]);
  deformed.show([]);
  expect(near.geometry).toBe(shared);
});

test("points move, too; a vertex that is not there changes nothing", () => {
  const cloud = new Points(triangle());
  const deformed = new DeformedMeshes();
  deformed.show([{ part: cloud, mesh: preview(3, 1, 1, 1) }]);
  expect(places(cloud)).toEqual(Array(9).fill(1));
  deformed.show([{ part: cloud, mesh: preview(0, 1, 1, 1) }]);
  expect(places(cloud).slice(0, 4)).toEqual([2, 2, 2, 1]);
});
