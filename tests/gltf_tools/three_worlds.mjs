// World matrices of every node as three.js plays a glTF file.
// stdin: JSON {file, out, clips: {name: [times]}}. Writes float64 matrices, row by row, to `out`:
// first the pose without animation, then clip by clip, time by time, node by node.
// stdout: JSON {roots: [[node indices of a tree, parents first]], clips: [names], weights: {...}}.
import { readFileSync, writeFileSync } from 'node:fs';
import { extname, join } from 'node:path';

globalThis.self = globalThis;
globalThis.ProgressEvent = class extends Event {};
globalThis.createImageBitmap = async () => ({ width: 1, height: 1, close() {} });
const { AnimationMixer, LoadingManager, LoopOnce } = await import('three');
const { GLTFLoader } = await import('three/examples/jsm/loaders/GLTFLoader.js');
const { MeshoptDecoder } = await import('meshoptimizer');

const KINDS = { '.png': 'image/png', '.jpg': 'image/jpeg' };
const job = JSON.parse(readFileSync(0, 'utf8'));

function dataUri(path) {
  const kind = KINDS[extname(path)] ?? 'application/octet-stream';
  return `data:${kind};base64,${readFileSync(decodeURIComponent(path)).toString('base64')}`;
}

// three needs a browser's workers for Draco; without it the vertices are zeros and the nodes the same.
function withoutDraco(bytes) {
  if (bytes.subarray(0, 4).toString() === 'glTF') return bytes;
  const gltf = JSON.parse(bytes);
  for (const mesh of gltf.meshes ?? []) for (const each of mesh.primitives) delete each.extensions;
  for (const key of ['extensionsUsed', 'extensionsRequired']) {
    if (gltf[key]) gltf[key] = gltf[key].filter((name) => name !== 'KHR_draco_mesh_compression');
  }
  return Buffer.from(JSON.stringify(gltf));
}

const manager = new LoadingManager();
manager.setURLModifier((url) => (/^(data|blob):/.test(url) ? url : dataUri(url)));
const loader = new GLTFLoader(manager);
loader.setMeshoptDecoder(MeshoptDecoder);
const bytes = withoutDraco(readFileSync(job.file));
const buffer = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength);
const gltf = await new Promise((resolve, reject) => loader.parse(buffer, join(job.file, '..') + '/', resolve, reject));

const { json, associations } = gltf.parser;
const count = json.nodes?.length ?? 0;
const nodes = new Array(count);
gltf.scene.traverse((object) => {
  const index = associations.get(object)?.nodes;
  if (index !== undefined && nodes[index] === undefined) nodes[index] = object;
});

const out = [];
const weights = [];
function record() {
  // Some files have quaternions off by 3e-4; three.js takes them as they are, glTF means unit ones.
  gltf.scene.traverse((object) => object.quaternion.normalize());
  gltf.scene.updateMatrixWorld(true);
  const block = new Float64Array(count * 16);
  nodes.forEach((object, index) => {
    const m = object.matrixWorld.elements;
    for (let r = 0; r < 4; r++) for (let c = 0; c < 4; c++) block[index * 16 + r * 4 + c] = m[c * 4 + r];
  });
  out.push(Buffer.from(block.buffer));
  const now = [];
  gltf.scene.traverse((object) => object.morphTargetInfluences && now.push([...object.morphTargetInfluences]));
  weights.push(now);
}

record();
const played = [];
for (const clip of gltf.animations) {
  const times = job.clips?.[clip.name];
  if (!times) continue;
  const mixer = new AnimationMixer(gltf.scene);
  const action = mixer.clipAction(clip);
  action.setLoop(LoopOnce);
  action.clampWhenFinished = true;
  action.play();
  for (const time of times) {
    mixer.setTime(time);
    record();
  }
  mixer.stopAllAction();
  mixer.uncacheRoot(gltf.scene);
  played.push(clip.name);
}
if (job.out) writeFileSync(job.out, Buffer.concat(out));

const roots = (json.scenes?.[json.scene ?? 0]?.nodes ?? []).map((root) => {
  const tree = [];
  const visit = (node) => { tree.push(node); (json.nodes[node].children ?? []).forEach(visit); };
  visit(root);
  return tree;
});
const meshes = [];
gltf.scene.traverse((object) => object.isMesh && meshes.push(object.geometry.attributes.position.count));
const parents = new Array(count).fill(-1);
(json.nodes ?? []).forEach((node, at) => (node.children ?? []).forEach((child) => { parents[child] = at; }));
const names = (json.nodes ?? []).map((node) => node.name ?? '');
process.stdout.write(JSON.stringify({ roots, names, parents, clips: played, count, meshes, weights: job.weights ? weights : [] }));
