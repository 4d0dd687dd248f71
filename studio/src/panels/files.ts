// Opening, saving and uploading files; asks before unsaved changes are lost.

import { signal } from "@preact/signals-core";
import { documentState, welcome } from "../state/document";
import { subjectHere } from "../state/activityChanges";
import { toast } from "../state/receive";
import { isSound, SOUNDS } from "../state/sound";
import { isWorthSaving } from "../state/throwAway";
import { activityEditor } from "../state/toolTraits";
import { options } from "../state/view";
import { mayEdit } from "../wire/role";
import { send } from "../wire/socket";
import { ask } from "../controls/dialog";
import { expectActor } from "./outliner";
import { onceSaved } from "./onceSaved";
import { openSaveAs } from "./saveAs";
import { withSideFiles } from "./sideFiles";

/** Ends in what the server can read. */
export const READABLE = ".glb,.gltf,.bvh,.arc,.obj";
const SIDE_FILES = ".bin,.png,.jpg,.jpeg,.webp"; // of a .gltf

/** How far an upload is, 0 to 1; null when there is none. */
export const uploading = signal<{ name: string; share: number; cancel: () => void } | null>(null);

/** A built-in, a document left by a crash, or a file: by the name the server gave it. */
export function openNamed(name: string, kind?: "file" | "builtin" | "recover"): void {
  const builtIn = welcome.peek()?.built_ins.includes(name);
  leave((discard) =>
    send({ type: "Open", kind: kind ?? (builtIn ? "builtin" : "file"), name, discard }),
  );
}

/** Asks before a document with unsaved steps gives way to another; `then` hears whether those are discarded. */
export function leave(then: (discard: boolean) => void): void {
  const info = documentState.peek();
  if (!info || !isWorthSaving(info)) return then(true);
  const saved = () => then(false);
  ask(`Save ${info.name} first?`, "It has changes that are not in its file yet.", [
    { label: "Save", main: true, run: () => save(saved) },
    { label: "Don’t save", run: () => then(true) },
    { label: "Cancel" },
  ]);
}

/** To its project file; what came from another format first gets a project file of its own. */
export function save(then?: () => void): void {
  if (!/\.arc(\.glb)?$/i.test(documentState.peek()?.path ?? "")) return openSaveAs(then);
  onceSaved(then);
  send({ type: "Save", name: null });
}

export function chooseFile(add: boolean): void {
  choose((files) => bringAll(files, add));
}

export function chooseSound(): void {
  choose(([first]) => first && addSound(first), SOUNDS);
}

/** An audio file under the sheets of the timeline. */
function addSound(file: File): void {
  void upload(file, (name) => send({ type: "ImportUpload", upload: name, add: true }));
}

/** A prop for the place of an object of the activity. */
export function chooseReplacement(object: string): void {
  choose((files) => replace(files, object));
}

function choose(take: (files: File[]) => unknown, accept = `${READABLE},${SIDE_FILES}`): void {
  const input = document.createElement("input");
  input.type = "file";
  input.multiple = true;
  input.accept = accept;
  input.onchange = () => {
    const files = [...(input.files ?? [])];
    if (files.length) take(files);
  };
  input.click();
}

/** Opens the first of several files, or adds it; the others are added. */
export function bringAll(files: File[], beside: boolean): void {
  whole(files, (all) => all.forEach((file, i) => bring(file, beside || i > 0)));
}

/** Files with those that they refer to inside them. */
function whole(files: File[], then: (files: File[]) => void): void {
  withSideFiles(files).then(then, (trouble: unknown) => {
    toast(`${(trouble as Error).message}. Your document is unchanged.`, "error");
  });
}

function bring(file: File, beside: boolean): void {
  if (!mayEdit()) return;
  if (isSound(file.name)) return addSound(file);
  if (beside) return void upload(file, add);
  leave((discard) => {
    void upload(file, (name) => send({ type: "ImportUpload", upload: name, add: false, discard }));
  });
}

/** The prop of a file in the place of an object of the activity, as one step. */
export function replace(files: File[], object: string): void {
  const subject = subjectHere();
  const tool = activityEditor();
  if (!subject || !tool || !mayEdit()) return;
  const given = options.peek()[tool] ?? {};
  sendFirst(files, (upload) => {
    send({ type: "ReplaceObject", upload, tool, ...subject, object, options: given });
  });
}

/** The activity of the shown take for the character of a file, as one step. */
export function chooseRetargeting(): void {
  const subject = subjectHere();
  const tool = activityEditor();
  if (!subject || !tool || !mayEdit()) return;
  choose((files) =>
    sendFirst(files, (upload) => send({ type: "Retarget", upload, tool, ...subject })),
  );
}

/** The first of some files, with what it refers to. */
function sendFirst(files: File[], then: (name: string) => void): void {
  whole(files, ([file]) => file && void upload(file, then));
}

function add(name: string): void {
  expectActor();
  send({ type: "ImportUpload", upload: name, add: true });
}

async function upload(file: File, then: (name: string) => void): Promise<void> {
  try {
    const answer = await sendFile(file);
    if (answer !== null) then(answer);
  } catch (trouble) {
    const why = trouble instanceof Error ? trouble.message : String(trouble);
    const what = why.startsWith(file.name) ? `${why}.` : `${file.name} could not be sent: ${why}`;
    toast(`${what} Your document is unchanged.`, "error");
  } finally {
    uploading.value = null;
  }
}

/** The upload's name; null where it was called off. fetch() does not tell how much was sent, this does. */
function sendFile(file: File): Promise<string | null> {
  const address = new URL("upload", document.baseURI);
  address.searchParams.set("name", file.name);
  return new Promise((done, fail) => {
    const request = new XMLHttpRequest();
    request.open("POST", address);
    const report = (share: number) => {
      uploading.value = { name: file.name, share, cancel: () => request.abort() };
    };
    report(0);
    request.upload.onprogress = (event) =>
      event.lengthComputable && report(event.loaded / event.total);
    request.onabort = () => done(null);
    request.onerror = () => fail(new Error("the studio did not answer."));
    request.onload = () => {
      if (request.status !== 200) return fail(new Error(refusal(request)));
      done((JSON.parse(request.responseText) as { upload: string }).upload);
    };
    request.send(file);
  });
}

function refusal(request: XMLHttpRequest): string {
  if (request.status === 413) return "it is too large.";
  const text = request.responseText.trim();
  return text.length > 0 && text.length < 200 ? text : `the studio answered ${request.status}.`;
}
