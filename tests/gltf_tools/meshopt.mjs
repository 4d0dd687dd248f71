// Packs and unpacks arrays with meshopt's own encoder and decoder, for tests of our decoder.
// stdin: JSON [{mode, filter, count, stride, data: base64, bits, version}], or packed: base64 in place of the
// last three; stdout: JSON of base64 {packed, plain}.
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
  COLOR: (job, bytes) => MeshoptEncoder.encodeFilterColor(floats(bytes), job.count, job.stride, job.bits),
};
const encoded = (job) => {
  const filtered = filters[job.filter](job, new Uint8Array(Buffer.from(job.data, 'base64')));
  return job.mode === 'ATTRIBUTES'
    ? MeshoptEncoder.encodeVertexBufferLevel(filtered, job.count, job.stride, 3, job.version)
    : MeshoptEncoder.encodeGltfBuffer(filtered, job.count, job.stride, job.mode, job.version);
};
const out = JSON.parse(readFileSync(0, 'utf8')).map((job) => {
  const packed = job.packed ? new Uint8Array(Buffer.from(job.packed, 'base64')) : encoded(job);
  const plain = new Uint8Array(job.count * job.stride);
  MeshoptDecoder.decodeGltfBuffer(plain, job.count, job.stride, packed, job.mode, job.filter);
  return { packed: Buffer.from(packed).toString('base64'), plain: Buffer.from(plain).toString('base64') };
});
process.stdout.write(JSON.stringify(out));
