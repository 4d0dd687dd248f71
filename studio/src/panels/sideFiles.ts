// Side files of a .gltf that are chosen or dropped with it: they become part of it.

interface Reference {
  uri?: string;
}

interface Document {
  buffers?: Reference[];
  images?: Reference[];
}

const BUFFER = "application/octet-stream";

/** The files, with buffers and images of each .gltf inside it; throws where a buffer is missing. */
export async function withSideFiles(files: readonly File[]): Promise<File[]> {
  const found: File[] = [];
  const used = new Set<File>();
  for (const file of files)
    found.push(isGltf(file) ? await packed(file, files, (each) => used.add(each)) : file);
  return found.filter((each) => !used.has(each));
}

async function packed(file: File, beside: readonly File[], use: (file: File) => void) {
  const document = parsed(await file.text());
  const buffers = references(document?.buffers);
  const images = references(document?.images);
  const side = (each: Reference) => beside.find(({ name }) => name === nameOf(each.uri!));
  const missing = buffers.filter((each) => !side(each)).map(({ uri }) => nameOf(uri!));
  if (missing.length)
    throw new Error(`${file.name} needs ${missing.join(", ")}: choose or drop them together`);
  for (const each of [...buffers, ...images]) {
    const own = side(each);
    if (!own) continue;
    use(own);
    each.uri = await dataUri(own, buffers.includes(each) ? BUFFER : own.type);
  }
  if (!buffers.length && !images.length) return file;
  return new File([JSON.stringify(document)], file.name, { type: file.type });
}

/** What a file holds; null of one that the server will refuse. */
function parsed(text: string): Document | null {
  try {
    const found: unknown = JSON.parse(text);
    return typeof found === "object" ? found : null;
  } catch {
    return null;
  }
}

function references(listed: Reference[] | undefined): Reference[] {
  return (Array.isArray(listed) ? listed : []).filter(
    (each) => typeof each?.uri === "string" && !each.uri.startsWith("data:"),
  );
}

const isGltf = ({ name }: File) => /\.gltf$/i.test(name);

/** The last part of a reference, as the file on disk is called. */
function nameOf(uri: string): string {
  const last = uri.split(/[\\/]/).at(-1)!;
  try {
    return decodeURIComponent(last);
  } catch {
    return last;
  }
}

async function dataUri(file: File, type: string): Promise<string> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  const parts: string[] = [];
  for (let at = 0; at < bytes.length; at += 0x8000)
    parts.push(String.fromCharCode(...bytes.subarray(at, at + 0x8000)));
  return `data:${type};base64,${btoa(parts.join(""))}`;
}
