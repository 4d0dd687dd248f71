import { expect, test } from "vitest";
import { withSideFiles } from "./sideFiles";

const gltf = (uri: string) =>
  new File(
    [JSON.stringify({ asset: { version: "2.0" }, buffers: [{ uri, byteLength: 3 }] })],
    "cup.gltf",
  );
const bytes = (name: string) => new File([new Uint8Array([1, 2, 255])], name);

test("buffers that come with a .gltf become part of it", async () => {
  const other = bytes("other.bin");
  const found = await withSideFiles([bytes("my cup.bin"), gltf("parts/my%20cup.bin"), other]);
  expect(found.map(({ name }) => name)).toEqual(["cup.gltf", "other.bin"]);
  const document = JSON.parse(await found[0]!.text()) as { buffers: { uri: string }[] };
  expect(document.buffers[0]!.uri).toBe("data:application/octet-stream;base64,AQL/");
});

test("a missing buffer is named", async () => {
  await expect(withSideFiles([gltf("cup.bin")])).rejects.toThrow("cup.gltf needs cup.bin");
});

test("files that need no others stay as they are", async () => {
  const files = [gltf("data:application/octet-stream;base64,AQL/"), bytes("cup.glb")];
  expect(await withSideFiles(files)).toEqual(files);
  const broken = [new File(["no json"], "broken.gltf")];
  expect(await withSideFiles(broken)).toEqual(broken);
});
