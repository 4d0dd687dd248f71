// Packs arrays with meshopt's own encoder, for tests of our decoder.
// stdin: JSON [{mode, filter, count, stride, data: base64, bits}]; stdout: JSON of base64 {packed, plain}.
import { readFileSync } from 'node:fs';
import { MeshoptDecoder, MeshoptEncoder } from 'meshoptimizer';

await MeshoptEncoder.ready;
await MeshoptDecoder.ready;
const floats = (bytes) => new Float32Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength));
const filters = {
  NONE: (job, bytes) => bytes,
  OCTAHEDRAL: (job, bytes) => MeshoptEncoder.encodeFilterOct(floats(bytes), job.count, job.stride, job.bits),
  QUATERNION: (job, bytes) => MeshoptEncoder.encodeFilterQuat(floats(bytes), job.count, job.stride, job.bits),
  EXPONENTIAL: (job, bytes) => MeshoptEncoder.encodeFilterExp(floats(bytes), job.count, job.stride, job.bits),
};
const out = JSON.parse(readFileSync(0, 'utf8')).map((job) => {
  const bytes = new Uint8Array(Buffer.from(job.data, 'base64'));
  const filtered = filters[job.filter](job, bytes);
  const packed = MeshoptEncoder.encodeGltfBuffer(filtered, job.count, job.stride, job.mode, 0);
  const plain = new Uint8Array(job.count * job.stride);
  MeshoptDecoder.decodeGltfBuffer(plain, job.count, job.stride, packed, job.mode, job.filter);
  return { packed: Buffer.from(packed).toString('base64'), plain: Buffer.from(plain).toString('base64') };
});
process.stdout.write(JSON.stringify(out));
