// Made from src/arcwright/server/messages by `make messages`; not to be edited.

export type Place3 = [number, number, number];

export type Turn4 = [number, number, number, number];

export type KeyAt = [number, number];

export type HandleAt = [number, number, number];

export type WishKind = "pin" | "contact";

export type HandleWord = "free" | "aligned" | "auto" | "auto_clamped" | "vector" | "flat";

export type SegmentWord = "bezier" | "linear" | "step";

export type BeyondWord = "hold" | "linear" | "cycle" | "cycle_offset" | "mirror";

/** A point of a character: a joint and an offset in it. */
export interface Spot {
  joint: string;
  offset?: Place3;
  character?: string;
}

/** All that lies behind a plane. */
export interface HalfSpace {
  shape: "half_space";
  place: Place3;
  normal: Place3;
}

/** All between two corners, along the axes of the world. */
export interface Box {
  shape: "box";
  low: Place3;
  high: Place3;
}

/** All that is near a place. */
export interface Ball {
  shape: "ball";
  middle: Place3;
  radius: number;
}

/** All around the line between the middles of two round ends. */
export interface Cylinder {
  shape: "cylinder";
  start: Place3;
  end: Place3;
  radius: number;
}

/** Two points keep their distance, or one that is given. */
export interface Apart {
  kind: "apart";
  point: Spot;
  other: Spot;
  start: number;
  end: number;
  size: number | null;
}

/** A point is in the same place at two moments. */
export interface Meet {
  kind: "meet";
  point: Spot;
  start: number;
  end: number;
}

/** A point goes by places, smoothly from one to the next. */
export interface Follow {
  kind: "follow";
  point: Spot;
  times: number[];
  places: Place3[];
}

/** The joint of a point is turned in a given way. */
export interface Turned {
  kind: "turned";
  point: Spot;
  start: number;
  end: number;
  orientation: Turn4;
}

/** A point stays in a region, or out of it. */
export interface Stay {
  kind: "stay";
  point: Spot;
  start: number;
  end: number;
  region: Region;
  inside: boolean;
}

/** A point, or every foot, stays above a height, or above its lowest place. */
export interface Floor {
  kind: "floor";
  start: number;
  end: number;
  height: number | null;
  point: Spot | null;
}

/** The centre of mass stays over what the character stands on. */
export interface Balance {
  kind: "balance";
  start: number;
  end: number;
  around: number;
}

/** The centre of mass falls as it did, or with a gravity. */
export interface Flight {
  kind: "flight";
  start: number;
  end: number;
  gravity: number | null;
}

/** A part of a character's weight. */
export interface MassTold {
  point: Spot;
  share: number;
}

/** A constraint of the scene. */
export interface ConstraintTold {
  index: number;
  name: string;
  character: string;
  take: string;
  start: number;
  end: number;
  constraint: Constraint;
  line: Place3[];
  masses: MassTold[];
}

/** A constraint of a character in a take; no take means every one. */
export interface AddConstraint {
  change: "addconstraint";
  character: string;
  take: string;
  constraint: Constraint;
}

/** Another one in place of a constraint, by its place in the scene's list; its take stays. */
export interface ChangeConstraint {
  change: "changeconstraint";
  character: string;
  take: string;
  index: number;
  constraint: Constraint;
}

/** A constraint taken away. */
export interface RemoveConstraint {
  change: "removeconstraint";
  character: string;
  take: string;
  index: number;
}

/** The motion settled so that constraints, pins and plants hold; options of whole motions. */
export interface ApplyConstraints {
  change: "applyconstraints";
  character: string;
  take: string;
  options: Record<string, boolean | number | number | string | null>;
}

/** A footplant that drags of whole motions would keep. */
export interface PlantTold {
  point: Spot;
  start: number;
  end: number;
}

/** The footplants that are found become contacts; one of them with another range, or none. */
export interface KeepPlants {
  change: "keepplants";
  character: string;
  take: string;
  heels?: boolean;
  point?: Spot | null;
  was?: number;
  start?: number | null;
  end?: number | null;
  without?: boolean;
}

/** Keys scaled about a pivot, then moved. */
export interface MoveKeys {
  change: "movekeys";
  character: string;
  take: string;
  keys: KeyAt[];
  time?: number;
  value?: number;
  scale_time?: number;
  scale_value?: number;
  pivot_time?: number;
  pivot_value?: number;
}

/** Copies of keys, `time` later. */
export interface CopyKeys {
  change: "copykeys";
  character: string;
  take: string;
  keys: KeyAt[];
  time: number;
}

/** Keys taken away; a curve never loses its last one. */
export interface DeleteKeys {
  change: "deletekeys";
  character: string;
  take: string;
  keys: KeyAt[];
}

/** Keys where the curves are; no channels means all of the character's. */
export interface AddKeys {
  change: "addkeys";
  character: string;
  take: string;
  channels: number[];
  time: number;
}

/** A handle dragged to (dt, dv) from its key, dt above 0 on both sides. */
export interface MoveHandle {
  change: "movehandle";
  character: string;
  take: string;
  handle: HandleAt;
  dt: number;
  dv: number;
}

/** What kind of handles keys have. */
export interface SetHandles {
  change: "sethandles";
  character: string;
  take: string;
  keys: KeyAt[];
  kind: HandleWord;
}

/** How the segments after keys run. */
export interface SetInterpolation {
  change: "setinterpolation";
  character: string;
  take: string;
  keys: KeyAt[];
  kind: SegmentWord;
}

/** What curves do before their first and after their last key. */
export interface SetExtrapolation {
  change: "setextrapolation";
  character: string;
  take: string;
  channels: number[];
  before: BeyondWord;
  after: BeyondWord;
}

/** A pin or contact; a contact may be relative to another point. */
export interface AddWish {
  change: "addwish";
  character: string;
  take: string;
  kind: WishKind;
  point: Spot;
  start: number;
  end: number;
  position?: boolean;
  orientation?: boolean;
  relative_to?: Spot | null;
}

/** A pin or contact, by its place in the scene's list, with another range or hold. */
export interface ChangeWish {
  change: "changewish";
  character: string;
  take: string;
  kind: WishKind;
  index: number;
  start: number;
  end: number;
  position?: boolean;
  orientation?: boolean;
}

/** A pin or contact taken away. */
export interface RemoveWish {
  change: "removewish";
  character: string;
  take: string;
  kind: WishKind;
  index: number;
}

/** Contacts where feet stand still and hands hold things. */
export interface FindContacts {
  change: "findcontacts";
  character: string;
  take: string;
}

/** How far a channel may go; None is no limit. */
export interface SetLimits {
  change: "setlimits";
  character: string;
  take: string;
  channel: number;
  low: number | null;
  high: number | null;
}

/** How much channels resist being moved; 1 is ordinary. */
export interface SetStiffness {
  change: "setstiffness";
  character: string;
  take: string;
  channels: number[];
  stiffness: number;
}

/** Whether edits may change the length of joints: as the animator says, or as analysed (""). */
export interface SetLengths {
  change: "setlengths";
  character: string;
  take: string;
  joints: number[];
  length: "" | "free" | "locked";
}

/** Which joint carries the body; -1 as analysed. */
export interface SetRoot {
  change: "setroot";
  character: string;
  take: string;
  joint: number;
}

/** Frame rate, length and looping of a take; a new rate keeps seconds or frames. */
export interface SetTiming {
  change: "settiming";
  character: string;
  take: string;
  rate: number;
  duration: number;
  loops: boolean;
  keep?: "seconds" | "frames";
}

/** A second take like this one. */
export interface CopyTake {
  change: "copytake";
  character: string;
  take: string;
  name: string;
}

/** Another name for a take. */
export interface RenameTake {
  change: "renametake";
  character: string;
  take: string;
  name: string;
}

/** A take taken away. */
export interface RemoveTake {
  change: "removetake";
  character: string;
  take: string;
}

/** Samples, or keys on every frame, and layers reduced to few key poses. */
export interface FitTake {
  change: "fittake";
  character: string;
  take: string;
  tolerance: number;
  poses?: "aligned" | "per-channel";
}

/** A character or prop taken away, with its pins, contacts and constraints. */
export interface RemoveActor {
  change: "removeactor";
  character: string;
  take: string;
}

/** A layer that is not used for now, or used again. */
export interface MuteLayer {
  change: "mutelayer";
  character: string;
  take: string;
  layer: number;
  muted: boolean;
}

/** How much of a layer is used. */
export interface WeighLayer {
  change: "weighlayer";
  character: string;
  take: string;
  layer: number;
  weight: number;
}

/** Another name for a layer. */
export interface RenameLayer {
  change: "renamelayer";
  character: string;
  take: string;
  layer: number;
  name: string;
}

/** A layer put in at another place of the stack. */
export interface MoveLayer {
  change: "movelayer";
  character: string;
  take: string;
  layer: number;
  to: number;
}

/** A layer taken away. */
export interface RemoveLayer {
  change: "removelayer";
  character: string;
  take: string;
  layer: number;
}

/** A second layer like this one, right above it. */
export interface CopyLayer {
  change: "copylayer";
  character: string;
  take: string;
  layer: number;
}

/** All layers and their base as few keys. */
export interface FlattenLayers {
  change: "flattenlayers";
  character: string;
  take: string;
  tolerance: number;
}

/** The layers of a recorded take put into its samples. */
export interface BakeLayers {
  change: "bakelayers";
  character: string;
  take: string;
}

/** The motion curves this window draws, and what of the document it plays. */
export interface Show {
  say: "show";
  character: string;
  take: string;
  points: Spot[];
}

/** Poses of whole frames, first to last. */
export interface AskFrames {
  say: "askframes";
  character: string;
  take: string;
  first: number;
  last: number;
  bare?: boolean;
}

/** All keys of a take. */
export interface AskKeys {
  say: "askkeys";
  character: string;
  take: string;
}

/** The footplants that drags of whole motions would find; told when they are found. */
export interface AskPlants {
  say: "askplants";
  character: string;
  take: string;
  heels?: boolean;
}

/** How many key poses a take would need; answers follow until `CancelReduction`. */
export interface AskReduction {
  say: "askreduction";
  character: string;
  take: string;
  tolerance: number;
  poses?: "aligned" | "per-channel";
}

/** The window wants to know no more about key poses. */
export interface CancelReduction {
  say: "cancelreduction";
}

/** A hand takes hold with a tool. */
export interface Grab {
  say: "grab";
  hand: number;
  tool: string;
  character: string;
  take: string;
  options: Record<string, boolean | number | number | string | null>;
  keep_plants?: boolean;
}

/** Where a hand now wants a point; a later move replaces one that waits. */
export interface Move {
  say: "move";
  hand: number;
  point: Spot;
  time: number;
  position?: Place3 | null;
  orientation?: Turn4 | null;
  time_scale?: number | null;
  axes?: Place3[] | null;
}

/** Other options for a hand that already holds. */
export interface Tune {
  say: "tune";
  hand: number;
  options: Record<string, boolean | number | number | string | null>;
}

/** The hand lets go: one undo step. */
export interface LetGo {
  say: "letgo";
  hand: number;
}

/** The hand forgets what it did. */
export interface Forget {
  say: "forget";
  hand: number;
}

/** Lets go and takes the offer of one key. */
export interface TakeOffer {
  say: "takeoffer";
  hand: number;
}

/** A change while the hand moves; `LetGo` keeps it. */
export interface Slide {
  say: "slide";
  hand: number;
  change: Change;
}

/** A change at once. */
export interface Do {
  say: "do";
  change: Change;
}

/** Several changes as one undo step, each made for what those before it leave. */
export interface DoAll {
  say: "doall";
  changes: Change[];
}

/** Take back the last step. */
export interface Undo {
  say: "undo";
}

/** Do again what was taken back. */
export interface Redo {
  say: "redo";
}

/** Go to a step of the history; 0 is the beginning. */
export interface Travel {
  say: "travel";
  step: number;
}

/** A file of the folder, a built-in such as "biped:walk", or a document left by a crash. */
export interface Open {
  say: "open";
  kind: "file" | "builtin" | "recover";
  name: string;
}

/** A document left by a crash is not wanted any more. */
export interface Discard {
  say: "discard";
  name: string;
}

/** An uploaded file: as a document of its own or added to this one. `POST upload?name=walk.bvh` with the file as body answers `{"upload": "..."}`. */
export interface Bring {
  say: "bring";
  upload: string;
  add: boolean;
}

/** To the file it came from, or to another of the folder; `replace` one that is there. */
export interface Save {
  say: "save";
  name?: string | null;
  replace?: boolean;
}

/** A file for download. */
export interface Export {
  say: "export";
  format: "glb" | "bvh" | "arc" | "png";
  character: string;
  take: string;
}

/** What can be opened. */
export interface ListFolder {
  say: "listfolder";
  folder?: string;
}

/** Stop a job. */
export interface Cancel {
  say: "cancel";
  job: number;
}

/** A part of the float block. */
export interface Array {
  name: string;
  shape: number[];
}

/** One option of a tool, for panels. */
export interface OptionTold {
  name: string;
  kind: "bool" | "int" | "float" | "choice";
  default: boolean | number | number | string | null;
  help: string;
  unit: string;
  low: number | null;
  high: number | null;
  choices: string[];
  optional: boolean;
}

/** A tool and its options. */
export interface ToolTold {
  name: string;
  help: string;
  options: OptionTold[];
}

/** A channel of a rig. */
export interface ChannelTold {
  joint: number;
  kind: string;
  label: string;
  low: number | null;
  high: number | null;
  stiffness: number;
}

/** What a joint is for, as the rig analysis tells. */
export interface JointInfo {
  role: string;
  free: boolean;
  moves: string[];
  can_free: boolean;
  can_root: boolean;
  length: string;
  why: string;
}

/** The joints of a character or prop. */
export interface RigTold {
  name: string;
  prop: boolean;
  joints: string[];
  parents: number[];
  analysis: JointInfo[];
  root_set: boolean;
  nodes: number[];
  channels: ChannelTold[];
  stride: number;
  weights: number[];
  carriers: HandleAt[];
}

/** A layer of a take. */
export interface LayerTold {
  name: string;
  start: number;
  end: number;
  weight: number;
  muted: boolean;
}

/** A take of a character. */
export interface TakeTold {
  name: string;
  keyed: boolean;
  duration: number;
  rate: number;
  loops: boolean;
  keys: number;
  layers: LayerTold[];
}

/** A pin or contact. */
export interface WishTold {
  kind: WishKind;
  index: number;
  name: string;
  point: Spot;
  start: number;
  end: number;
  position: boolean;
  orientation: boolean;
  relative_to: Spot | null;
  take: string;
}

/** Something people should know. */
export interface NoteTold {
  text: string;
  kind: string;
  amount: number;
  blocker: string;
}

/** What one key would buy. */
export interface OfferTold {
  text: string;
  remaining: number;
}

/** A file opened before, or a document left by a crash. */
export interface RecentTold {
  name: string;
  label: string;
  when: number;
  recover: boolean;
  damage: string;
}

/** An entry of the folder. */
export interface FileTold {
  name: string;
  folder: boolean;
  size: number;
}

/** First of all. */
export interface Welcome {
  tell: "welcome";
  arrays: Array[];
  version: string;
  window: number;
  tools: ToolTold[];
  built_ins: string[];
  recent: RecentTold[];
  role: "edit" | "view";
}

/** Who is in the scene; again whenever that changes. */
export interface Cast {
  tell: "cast";
  arrays: Array[];
  model: string;
  rigs: RigTold[];
  scale: number;
  unit: string;
}

/** The state of the document; again after every step. */
export interface Document {
  tell: "document";
  arrays: Array[];
  revision: number;
  name: string;
  path: string | null;
  saved: boolean;
  takes: Record<string, TakeTold[]>;
  wishes: WishTold[];
  constraints: ConstraintTold[];
  done: string[];
  undone: string[];
  warnings: string[];
}

/** Keys of channels. Rows of `keys` (K, 9): time, value, in dt, in dv, out dt, out dv, in kind, out kind, interpolation. */
export interface Keys {
  tell: "keys";
  arrays: Array[];
  character: string;
  take: string;
  live: number | null;
  channels: number[];
  counts: number[];
  beyond: ([BeyondWord, BeyondWord])[];
}

/** Poses of frames: `poses` (F, J * stride + W). */
export interface Frames {
  tell: "frames";
  arrays: Array[];
  character: string;
  take: string;
  live: number | null;
  first: number;
  bare: boolean;
}

/** A motion curve: `times` (T,), `positions` (T, 3), `orientations` (T, 4) xyzw, `speeds` (T,). Part of one where it does not begin at 0: only that stretch has changed. Long live parts have positions only. */
export interface Curve {
  tell: "curve";
  arrays: Array[];
  character: string;
  take: string;
  live: number | null;
  point: Spot;
  first: number;
  total: number;
  per_frame: number;
  keys: number[] | null;
}

/** The footplants that drags of whole motions would find in a take. */
export interface Plants {
  tell: "plants";
  arrays: Array[];
  character: string;
  take: string;
  plants: PlantTold[];
}

/** How many key poses a take would need within a tolerance, once `share` is 1. */
export interface ReductionInfo {
  tell: "reductioninfo";
  arrays: Array[];
  character: string;
  take: string;
  tolerance: number;
  poses: "aligned" | "per-channel";
  share: number;
  key_poses: number;
  error: number;
}

/** What a hand has done so far: `pose` (J * stride + W) at its time. */
export interface Preview {
  tell: "preview";
  arrays: Array[];
  hand: number;
  character: string;
  take: string;
  time: number;
  span: [number, number];
  reached: Place3;
  short: number;
}

/** What is in the way of a hand that rests. */
export interface Notes {
  tell: "notes";
  arrays: Array[];
  hand: number;
  notes: NoteTold[];
  offer: OfferTold | null;
}

/** A hand let go or forgot: its previews are void. */
export interface HandEnded {
  tell: "handended";
  arrays: Array[];
  hand: number;
  kept: boolean;
  label: string;
}

/** Something did not work: what happened, what was kept, what to do. */
export interface Failure {
  tell: "failure";
  arrays: Array[];
  text: string;
}

/** What has come of work that this window asked for; a warning tells what was lost in it. */
export interface Report {
  tell: "report";
  arrays: Array[];
  text: string;
  severity: "info" | "warning";
  notes: NoteTold[];
}

/** Work that takes a while; gone when `share` is 1. */
export interface Job {
  tell: "job";
  arrays: Array[];
  job: number;
  label: string;
  share: number;
  cancel: boolean;
}

/** Written to disk. */
export interface Saved {
  tell: "saved";
  arrays: Array[];
  path: string;
}

/** A file to fetch. */
export interface Download {
  tell: "download";
  arrays: Array[];
  address: string;
  name: string;
}

/** What can be opened. */
export interface Folder {
  tell: "folder";
  arrays: Array[];
  folder: string;
  entries: FileTold[];
}

/** What `Welcome` told of recent documents has changed. */
export interface Recent {
  tell: "recent";
  arrays: Array[];
  recent: RecentTold[];
}

export type Region = HalfSpace | Box | Ball | Cylinder;

export type Constraint = Apart | Meet | Follow | Turned | Stay | Floor | Balance | Flight;

export type Change = MoveKeys | CopyKeys | DeleteKeys | AddKeys | MoveHandle | SetHandles | SetInterpolation | SetExtrapolation | AddWish | ChangeWish | RemoveWish | AddConstraint | ChangeConstraint | RemoveConstraint | ApplyConstraints | FindContacts | KeepPlants | SetLimits | SetStiffness | SetLengths | SetRoot | SetTiming | CopyTake | RenameTake | RemoveTake | FitTake | RemoveActor | MuteLayer | WeighLayer | RenameLayer | MoveLayer | RemoveLayer | CopyLayer | FlattenLayers | BakeLayers;

export type Up = Show | AskFrames | AskKeys | AskPlants | AskReduction | CancelReduction | Grab | Move | Tune | LetGo | Forget | TakeOffer | Slide | Do | DoAll | Undo | Redo | Travel | Open | Discard | Bring | Save | Export | ListFolder | Cancel;

export type Down = Welcome | Cast | Document | Keys | Frames | Curve | Plants | ReductionInfo | Preview | Notes | HandEnded | Failure | Report | Job | Saved | Download | Folder | Recent;
