// Made from src/arcwright/server/messages by `make messages`; not to be edited.

export type Vec2 = [number, number];

export type Vec3 = [number, number, number];

export type Quat = [number, number, number, number];

export type KeyIndex = [number, number];

export type HandleIndex = [number, number, number];

export type HandleType = "free" | "aligned" | "auto" | "auto_clamped" | "vector" | "flat";

export type InterpolationType = "bezier" | "linear" | "step";

export type ExtrapolationType = "hold" | "linear" | "cycle" | "cycle_offset" | "mirror";

/** A point of a character: a joint and an offset in its frame. */
export interface PointRef {
  joint: string;
  offset?: Vec3;
  character?: string;
}

/** A prop that takes part. */
export interface ActivityObjectInfo {
  name: string;
  prop: string;
  anchors: string[];
}

/** A point of the character that takes part. */
export interface EffectorInfo {
  name: string;
  point: PointRef;
}

/** A moment, and what matters then. */
export interface ActivityEventInfo {
  time: number;
  name: string;
  elements: string[];
  movable: string[];
  scalable: string[];
  replaceable: string[];
  pairs: ([string, string])[];
  look_at: string;
}

/** A detected event, which nobody has accepted yet. */
export interface ProposedEventInfo {
  event: ActivityEventInfo;
  kind: string;
  confidence: number;
}

/** What a take is about. */
export interface ActivityInfo {
  name: string;
  character: string;
  take: string;
  objects: ActivityObjectInfo[];
  effectors: EffectorInfo[];
  events: ActivityEventInfo[];
}

/** Another name for an event of an activity. */
export interface RenameEvent {
  change: "RenameEvent";
  character: string;
  take: string;
  activity: string;
  event: number;
  name: string;
}

/** An event of an activity taken away; the motion stays. */
export interface RemoveEvent {
  change: "RemoveEvent";
  character: string;
  take: string;
  activity: string;
  event: number;
}

/** An activity without events: parts of the body, and all props. */
export interface BeginActivity {
  change: "BeginActivity";
  character: string;
  take: string;
}

/** Elements and events added to an activity, or to a new one of the take. */
export interface AddToActivity {
  change: "AddToActivity";
  character: string;
  take: string;
  activity: string;
  objects: ActivityObjectInfo[];
  effectors: EffectorInfo[];
  events: ActivityEventInfo[];
}

/** An event as it should be: its time, elements, pairs, and what is looked at. */
export interface ChangeEvent {
  change: "ChangeEvent";
  character: string;
  take: string;
  activity: string;
  event: number;
  to: ActivityEventInfo;
}

/** An object or effector that takes no part any more; prop and joint stay. */
export interface RemoveElement {
  change: "RemoveElement";
  character: string;
  take: string;
  activity: string;
  element: string;
}

/** An activity taken away; the take stays. */
export interface RemoveActivity {
  change: "RemoveActivity";
  character: string;
  take: string;
  activity: string;
}

/** One field of a kind of constraint, for panels. */
export interface FieldInfo {
  name: string;
  quantity: "time" | "times" | "number" | "length" | "flag" | "choice" | "position" | "positions" | "direction" | "orientation" | "point" | "region" | "character" | "take";
  label: string;
  help: string;
  unit: string;
  low: number | null;
  high: number | null;
  choices: string[];
  optional: boolean;
  none: string;
  required: boolean;
  default: unknown;
}

/** A kind of constraint and its fields. */
export interface ConstraintKindInfo {
  kind: string;
  label: string;
  help: string;
  fields: FieldInfo[];
}

/** A part of a character's weight. */
export interface MassInfo {
  point: PointRef;
  share: number;
}

/** A constraint of the scene. */
export interface ConstraintInfo {
  index: number;
  name: string;
  title: string;
  character: string;
  take: string;
  start: number;
  end: number;
  constraint: Constraint;
  line: Vec3[];
  masses: MassInfo[];
}

/** A constraint of a character in a take; no take means every one. */
export interface AddConstraint {
  change: "AddConstraint";
  character: string;
  take: string;
  constraint: Constraint;
}

/** Another one in place of a constraint, by its place in the scene's list; its take stays. */
export interface ChangeConstraint {
  change: "ChangeConstraint";
  character: string;
  take: string;
  index: number;
  constraint: Constraint;
}

/** A constraint taken away. */
export interface RemoveConstraint {
  change: "RemoveConstraint";
  character: string;
  take: string;
  index: number;
}

/** Solve constraints without a drag; options of the spacetime tool. */
export interface SolveConstraints {
  change: "SolveConstraints";
  character: string;
  take: string;
  options: Record<string, boolean | number | number | string | null>;
}

/** A detected footplant. */
export interface FootplantInfo {
  point: PointRef;
  start: number;
  end: number;
}

/** Make contacts of detected footplants; change the range of one, or leave it out. */
export interface AcceptFootplants {
  change: "AcceptFootplants";
  character: string;
  take: string;
  include_heels?: boolean;
  point?: PointRef | null;
  was?: number;
  start?: number | null;
  end?: number | null;
  without?: boolean;
}

/** The view through which a stroke is drawn: it looks along its -Z, with +Y up. */
export interface CameraInfo {
  position: Vec3;
  orientation: Quat;
  field_of_view: number;
  width: number;
  height: number;
}

/** How far a drag has come. */
export interface DragInfo {
  position: Vec3;
  target: Vec3 | null;
  remaining: number;
}

/** Whose pose, and of which time, one array of a preview is. */
export interface PoseInfo {
  character: string;
  take: string;
  time: number;
  acted: boolean;
}

/** Which part of a shape one array of moved vertices of a preview is about. */
export interface MeshInfo {
  actor: string;
  shape: number;
  part: number;
}

/** A line through world positions. */
export interface CurveOverlay {
  shape: "curve";
  positions: Vec3[];
  style: "edit" | "reference" | "guide" | "warning";
  closed: boolean;
  name: string;
}

/** Dots at world positions. */
export interface MarkersOverlay {
  shape: "markers";
  positions: Vec3[];
  style: "edit" | "reference" | "guide" | "warning";
}

/** A handle that can be dragged, by its name. */
export interface HandleOverlay {
  shape: "handle";
  name: string;
  position: Vec3;
  symbol: "dot" | "arrow" | "tick";
  direction: Vec3 | null;
  style: "edit" | "reference" | "guide" | "warning";
  label: string;
  time: number | null;
  grounded: boolean;
}

/** A line in pixels of the view it was drawn in. */
export interface StrokeOverlay {
  shape: "stroke";
  points: Vec2[];
  style: "edit" | "reference" | "guide" | "warning";
}

/** A short text at a world position. */
export interface TextOverlay {
  shape: "text";
  text: string;
  position: Vec3;
  style: "edit" | "reference" | "guide" | "warning";
}

/** A stretch of time on the timeline. */
export interface SpanOverlay {
  shape: "span";
  start: number;
  end: number;
  label: string;
  style: "edit" | "reference" | "guide" | "warning";
}

/** One of several values of an option. */
export interface ChoiceInfo {
  label: string;
  value: boolean | number | number | string | null;
}

/** Values of an option to choose from, as buttons. */
export interface ChoicesOverlay {
  shape: "choices";
  option: string;
  title: string;
  choices: ChoiceInfo[];
  chosen: number;
}

/** A saved camera. */
export interface ShotInfo {
  name: string;
  camera: CameraInfo;
  time: number;
}

/** A stroke, centre point or set of dragged points. */
export interface FlowLayerInfo {
  name: string;
  kind: string;
  strength: number;
  range: number;
  smoothness: number;
  muted: boolean;
  excluded: string[];
  included: string[];
}

/** A curve that was drawn or changed by hand. */
export interface FlowCurveInfo {
  name: string;
  hidden: boolean;
  locked: boolean;
}

/** The composition at a moment; layers from the first to the last. */
export interface FlowKeyInfo {
  shot: ShotInfo;
  layers: FlowLayerInfo[];
  curves: FlowCurveInfo[];
}

/** How the objects of a shot are bent: one key for a still, several for an animated shot. */
export interface FlowInfo {
  keys: FlowKeyInfo[];
  morph: string;
  lift: boolean;
}

/** Keys scaled about a pivot, then moved. */
export interface MoveKeys {
  change: "MoveKeys";
  character: string;
  take: string;
  keys: KeyIndex[];
  time?: number;
  value?: number;
  scale_time?: number;
  scale_value?: number;
  pivot_time?: number;
  pivot_value?: number;
}

/** Copies of keys, `time` later: duplicated, or pasted where they were copied before. */
export interface CopyKeys {
  change: "CopyKeys";
  character: string;
  take: string;
  keys: KeyIndex[];
  time: number;
  pasted?: boolean;
}

/** Keys taken away; a curve never loses its last one. */
export interface DeleteKeys {
  change: "DeleteKeys";
  character: string;
  take: string;
  keys: KeyIndex[];
}

/** Keys where the curves are; no channels means all of the character's. */
export interface AddKeys {
  change: "AddKeys";
  character: string;
  take: string;
  channels: number[];
  time: number;
}

/** A handle dragged to (dt, dv) from its key, dt above 0 on both sides. */
export interface MoveHandle {
  change: "MoveHandle";
  character: string;
  take: string;
  handle: HandleIndex;
  dt: number;
  dv: number;
}

/** What kind of handles keys have. */
export interface SetHandles {
  change: "SetHandles";
  character: string;
  take: string;
  keys: KeyIndex[];
  kind: HandleType;
}

/** How the segments after keys run. */
export interface SetInterpolation {
  change: "SetInterpolation";
  character: string;
  take: string;
  keys: KeyIndex[];
  kind: InterpolationType;
}

/** What curves do before their first and after their last key. */
export interface SetExtrapolation {
  change: "SetExtrapolation";
  character: string;
  take: string;
  channels: number[];
  before: ExtrapolationType;
  after: ExtrapolationType;
}

/** Detect contacts: feet that stand still, hands that hold props. */
export interface DetectContacts {
  change: "DetectContacts";
  character: string;
  take: string;
}

/** How far a channel may go; None is no limit. */
export interface SetLimits {
  change: "SetLimits";
  character: string;
  take: string;
  channel: number;
  low: number | null;
  high: number | null;
}

/** How much channels resist being moved; 1 is ordinary. */
export interface SetStiffness {
  change: "SetStiffness";
  character: string;
  take: string;
  channels: number[];
  stiffness: number;
}

/** Whether edits may change the length of joints: set by the animator, or as analysed (""). */
export interface SetLengths {
  change: "SetLengths";
  character: string;
  take: string;
  joints: number[];
  length: "" | "free" | "locked";
}

/** Which joint carries the body; -1 as analysed. */
export interface SetRoot {
  change: "SetRoot";
  character: string;
  take: string;
  joint: number;
}

/** Which joint carries another one in edits: itself for none, -1 as analysed. */
export interface SetAttached {
  change: "SetAttached";
  character: string;
  take: string;
  joint: number;
  limb: number;
}

/** Frame rate, length and looping of a take; a new rate keeps seconds or frames. */
export interface SetTiming {
  change: "SetTiming";
  character: string;
  take: string;
  rate: number;
  duration: number;
  loops: boolean;
  keep?: "seconds" | "frames";
}

/** A second take like this one. */
export interface CopyTake {
  change: "CopyTake";
  character: string;
  take: string;
  name: string;
}

/** Another name for a take. */
export interface RenameTake {
  change: "RenameTake";
  character: string;
  take: string;
  name: string;
}

/** A take taken away. */
export interface RemoveTake {
  change: "RemoveTake";
  character: string;
  take: string;
}

/** Samples, or keys on every frame, and layers reduced to few key poses. */
export interface FitTake {
  change: "FitTake";
  character: string;
  take: string;
  tolerance: number;
  poses?: "aligned" | "per-channel";
}

/** The pose and the colours of a photo: joints placed over it, pixels of garments. */
export interface MakeAvatar {
  change: "MakeAvatar";
  character: string;
  take: string;
  marks: Record<string, Vec2>;
  pixels: Record<string, Vec3[]>;
  flipped: string[];
}

/** A character or prop taken away, with its constraints. */
export interface RemoveActor {
  change: "RemoveActor";
  character: string;
  take: string;
}

/** A layer that is not used for now, or used again. */
export interface MuteLayer {
  change: "MuteLayer";
  character: string;
  take: string;
  layer: number;
  muted: boolean;
}

/** How much of a layer is used. */
export interface SetLayerWeight {
  change: "SetLayerWeight";
  character: string;
  take: string;
  layer: number;
  weight: number;
}

/** Another name for a layer. */
export interface RenameLayer {
  change: "RenameLayer";
  character: string;
  take: string;
  layer: number;
  name: string;
}

/** A layer put in at another place of the stack. */
export interface MoveLayer {
  change: "MoveLayer";
  character: string;
  take: string;
  layer: number;
  to: number;
}

/** A layer taken away. */
export interface RemoveLayer {
  change: "RemoveLayer";
  character: string;
  take: string;
  layer: number;
}

/** A second layer like this one, right above it. */
export interface CopyLayer {
  change: "CopyLayer";
  character: string;
  take: string;
  layer: number;
}

/** All layers and their base as few keys. */
export interface FlattenLayers {
  change: "FlattenLayers";
  character: string;
  take: string;
  tolerance: number;
}

/** The layers of a recorded take put into its samples. */
export interface BakeLayers {
  change: "BakeLayers";
  character: string;
  take: string;
}

/** A pose keyed on joints, or on all for none; mirrored on their counterparts. */
export interface PastePose {
  change: "PastePose";
  character: string;
  take: string;
  time: number;
  joints: number[];
  values: Record<string, number>;
  mirrored?: boolean;
  weight?: number;
}

/** A pose of the library keyed, as `PastePose`. */
export interface ApplyStoredPose {
  change: "ApplyStoredPose";
  character: string;
  take: string;
  time: number;
  joints: number[];
  index: number;
  mirrored?: boolean;
  weight?: number;
}

/** Left and right of the pose that is there change places. */
export interface MirrorPose {
  change: "MirrorPose";
  character: string;
  take: string;
  time: number;
  joints: number[];
}

/** The rest pose keyed. */
export interface ResetPose {
  change: "ResetPose";
  character: string;
  take: string;
  time: number;
  joints: number[];
}

/** A pose at a share of the way from the key before to the key after. */
export interface TweenPose {
  change: "TweenPose";
  character: string;
  take: string;
  time: number;
  joints: number[];
  share: number;
}

/** A pose put into the library. */
export interface StorePose {
  change: "StorePose";
  character: string;
  take: string;
  time: number;
  joints: number[];
  name: string;
  picture?: string;
}

/** Another name for a pose of the library. */
export interface RenamePose {
  change: "RenamePose";
  character: string;
  take: string;
  index: number;
  name: string;
}

/** A pose taken out of the library. */
export interface RemovePose {
  change: "RemovePose";
  character: string;
  take: string;
  index: number;
}

/** A marker at a time. */
export interface AddMarker {
  change: "AddMarker";
  character: string;
  take: string;
  name: string;
  time: number;
}

/** A marker elsewhere, or under another name. */
export interface ChangeMarker {
  change: "ChangeMarker";
  character: string;
  take: string;
  index: number;
  name?: string | null;
  time?: number | null;
}

/** A marker taken away. */
export interface RemoveMarker {
  change: "RemoveMarker";
  character: string;
  take: string;
  index: number;
}

/** A box or ramp that stands on the ground: its top goes from one height to another along z. */
export interface GroundBlock {
  x: Vec2;
  z: Vec2;
  heights: Vec2;
}

/** A role given to a take; without one it is left to tools. */
export interface SetRole {
  change: "SetRole";
  character: string;
  take: string;
  role: string;
}

/** The blocks on the ground; character and take are those that are shown. */
export interface SetGround {
  change: "SetGround";
  character: string;
  take: string;
  blocks: GroundBlock[];
}

/** What kind of page the client is; from then on the server sends it who else is connected. */
export interface Introduce {
  type: "Introduce";
  kind: "studio" | "phone";
}

/** The motion curves that the client shows, and the take that it plays. */
export interface Subscribe {
  type: "Subscribe";
  character: string;
  take: string;
  points: PointRef[];
}

/** Poses of whole frames, first to last. */
export interface RequestFrames {
  type: "RequestFrames";
  character: string;
  take: string;
  first: number;
  last: number;
  without_layers?: boolean;
}

/** All keys of a take. */
export interface RequestKeys {
  type: "RequestKeys";
  character: string;
  take: string;
}

/** The pose of a take at a time, to be copied: `CopiedPose` answers. */
export interface RequestPose {
  type: "RequestPose";
  character: string;
  take: string;
  time: number;
}

/** Detect the footplants of a take; the answer follows when they are found. */
export interface RequestFootplants {
  type: "RequestFootplants";
  character: string;
  take: string;
  include_heels?: boolean;
}

/** Detect the events of a take; the answer follows when they are found. */
export interface RequestProposedEvents {
  type: "RequestProposedEvents";
  character: string;
  take: string;
}

/** What a tool draws of a take before a gesture; the answer follows when it is known. */
export interface RequestRestOverlays {
  type: "RequestRestOverlays";
  tool: string;
  character: string;
  take: string;
  options?: Record<string, boolean | number | number | string | null>;
  time?: number;
}

/** How many key poses a take needs; answers follow until `CancelReduction`. */
export interface RequestReduction {
  type: "RequestReduction";
  character: string;
  take: string;
  tolerance: number;
  poses?: "aligned" | "per-channel";
}

/** No more answers to `RequestReduction`. */
export interface CancelReduction {
  type: "CancelReduction";
}

/** Begin an interaction with a tool. */
export interface BeginInteraction {
  type: "BeginInteraction";
  interaction: number;
  tool: string;
  character: string;
  take: string;
  options: Record<string, boolean | number | number | string | null>;
  accept_footplants?: boolean;
  point?: PointRef | null;
  channels?: string[];
  recording?: number | null;
  time?: number;
}

/** The target of a drag of a point or of a tool's handle; a later one replaces a queued one. */
export interface UpdateInteraction {
  type: "UpdateInteraction";
  interaction: number;
  point: PointRef | null;
  time: number;
  position?: Vec3 | null;
  orientation?: Quat | null;
  time_scale?: number | null;
  axes?: Vec3[] | null;
  to_time?: number | null;
  scale?: Vec3 | null;
  handle?: string | null;
}

/** More samples of a line drawn on the screen; none is dropped. */
export interface AppendStroke {
  type: "AppendStroke";
  interaction: number;
  camera: CameraInfo;
  points: Vec2[];
  times: number[];
  pressure?: number[] | null;
}

/** Other options for an active interaction. */
export interface SetOptions {
  type: "SetOptions";
  interaction: number;
  options: Record<string, boolean | number | number | string | null>;
}

/** End an interaction as one undo step. */
export interface CommitInteraction {
  type: "CommitInteraction";
  interaction: number;
  if_changed?: boolean;
}

/** End an interaction without a step. */
export interface CancelInteraction {
  type: "CancelInteraction";
  interaction: number;
}

/** End an interaction and apply its offer, such as an extra key. */
export interface AcceptOffer {
  type: "AcceptOffer";
  interaction: number;
}

/** Solve the interaction that was committed last again, without a time limit, as a job. */
export interface SolveFurther {
  type: "SolveFurther";
  interaction: number;
}

/** A change while the pointer moves; `CommitInteraction` applies it. */
export interface PreviewChange {
  type: "PreviewChange";
  interaction: number;
  change: Change;
}

/** Apply a change. */
export interface ApplyChange {
  type: "ApplyChange";
  change: Change;
}

/** Apply several changes as one undo step, one after the other. */
export interface ApplyChanges {
  type: "ApplyChanges";
  changes: Change[];
}

/** Undo the last step. */
export interface Undo {
  type: "Undo";
}

/** Redo the last undone step. */
export interface Redo {
  type: "Redo";
}

/** Go to a step of the history; 0 is the original. */
export interface GoToStep {
  type: "GoToStep";
  step: number;
}

/** Open a file of the folder, a built-in such as "biped:walk", or a document left by a crash. */
export interface Open {
  type: "Open";
  kind: "file" | "builtin" | "recover";
  name: string;
  discard?: boolean;
}

/** Delete a document left by a crash. */
export interface DiscardRecovered {
  type: "DiscardRecovered";
  name: string;
}

/** Open an uploaded file as a document, or add it to this one; an audio file is only added. `POST upload?name=walk.bvh` with the file as body answers `{"upload": "..."}`. */
export interface ImportUpload {
  type: "ImportUpload";
  upload: string;
  add: boolean;
  discard?: boolean;
}

/** Put the prop of an uploaded file in the place of an object that a tool edits. */
export interface ReplaceObject {
  type: "ReplaceObject";
  upload: string;
  tool: string;
  character: string;
  take: string;
  object: string;
  options: Record<string, boolean | number | number | string | null>;
}

/** Carry a take, with what a tool knows of it, to the character of an uploaded file. */
export interface Retarget {
  type: "Retarget";
  upload: string;
  tool: string;
  character: string;
  take: string;
}

/** Save to the document's file or another of the folder; `replace` an existing one. */
export interface Save {
  type: "Save";
  name?: string | null;
  replace?: boolean;
}

/** Write a file for download. */
export interface Export {
  type: "Export";
  format: "glb" | "bvh" | "arc" | "png";
  character: string;
  take: string;
}

/** List what can be opened. */
export interface ListFolder {
  type: "ListFolder";
  folder?: string;
}

/** Cancel a job. */
export interface CancelJob {
  type: "CancelJob";
  job: number;
}

/** More samples of tracked devices, axes and buttons, which follow it; none is dropped. */
export interface PerformanceHeader {
  type: "AppendPerformance";
  interaction: number;
  samples: number;
  devices?: number;
  axis_names?: string[];
  button_names?: string[];
  device?: string;
}

/** A part of the float block. */
export interface Array {
  name: string;
  shape: number[];
}

/** The link by which a phone performs on the document. */
export interface PhoneLink {
  link: string;
  code: string[];
}

/** A connected client. */
export interface ClientInfo {
  number: number;
  kind: "studio" | "phone";
  role: "edit" | "view";
  editing: string;
}

/** One option of a tool, for panels. */
export interface OptionInfo {
  name: string;
  kind: "bool" | "int" | "float" | "choice" | "take" | "text";
  default: boolean | number | number | string | null;
  label: string;
  help: string;
  unit: string;
  low: number | null;
  high: number | null;
  choices: string[];
  optional: boolean;
}

/** A tool, the gestures it understands and its options. */
export interface ToolInfo {
  name: string;
  label: string;
  help: string;
  gestures: ("drag" | "setting" | "stroke" | "performance")[];
  options: OptionInfo[];
}

/** A channel of a rig. */
export interface ChannelInfo {
  joint: number;
  kind: string;
  label: string;
  low: number | null;
  high: number | null;
  stiffness: number;
}

/** What a joint is for, according to the rig analysis. */
export interface JointInfo {
  role: string;
  free: boolean;
  moves: string[];
  can_free: boolean;
  can_root: boolean;
  length: string;
  why: string;
  attached_to: string;
  attached_set: boolean;
}

/** The joints of a character or prop. */
export interface RigInfo {
  name: string;
  prop: boolean;
  joints: string[];
  parents: number[];
  analysis: JointInfo[];
  root_set: boolean;
  nodes: number[];
  channels: ChannelInfo[];
  stride: number;
  weights: number[];
  carriers: HandleIndex[];
  shapes: number[];
}

/** A layer of a take. */
export interface LayerInfo {
  name: string;
  start: number;
  end: number;
  weight: number;
  muted: boolean;
}

/** A named stretch of a take, which ends where the next one starts. */
export interface SectionInfo {
  name: string;
  start: number;
}

/** A marker of a take. */
export interface MarkerInfo {
  name: string;
  time: number;
}

/** A pose of the library, without its values. */
export interface StoredPoseInfo {
  name: string;
  character: string;
  joints: string[];
  picture: string;
}

/** A take whose falls do not fit its frame rate. */
export interface RateCheckInfo {
  rate: number;
  text: string;
}

/** A take of a character. */
export interface TakeInfo {
  name: string;
  keyed: boolean;
  baked: boolean;
  duration: number;
  rate: number;
  loops: boolean;
  keys: number;
  layers: LayerInfo[];
  sections: SectionInfo[];
  markers: MarkerInfo[];
  lead_in: number;
  rate_check: RateCheckInfo | null;
}

/** A recording of the document, without its samples. */
export interface RecordingInfo {
  index: number;
  character: string;
  take: string;
  item: string;
  point: PointRef | null;
  channels: string[];
  device: string;
  duration: number;
  tool: string;
  options: Record<string, boolean | number | number | string | null>;
}

/** A note for the animator. */
export interface NoteInfo {
  text: string;
  kind: string;
  amount: number;
  blocker: string;
}

/** What an extra key would gain. */
export interface OfferInfo {
  text: string;
  remaining: number;
}

/** A file opened before, or a document left by a crash. */
export interface RecentInfo {
  name: string;
  label: string;
  when: number;
  recover: boolean;
  damage: string;
  differs: boolean;
}

/** An entry of the folder. */
export interface FileInfo {
  name: string;
  folder: boolean;
  size: number;
}

/** The sound of the document; its bytes are at `address`. */
export interface SoundInfo {
  address: string;
  name: string;
  start: number;
  muted: boolean;
}

/** The sound elsewhere in time, or muted. */
export interface ChangeSound {
  change: "ChangeSound";
  character: string;
  take: string;
  start?: number | null;
  muted?: boolean | null;
}

/** The sound taken off the timeline. */
export interface RemoveSound {
  change: "RemoveSound";
  character: string;
  take: string;
}

/** The first message: the server and what it offers. */
export interface Welcome {
  type: "Welcome";
  arrays: Array[];
  version: string;
  window: number;
  tools: ToolInfo[];
  constraint_kinds: ConstraintKindInfo[];
  built_ins: string[];
  recent: RecentInfo[];
  folder: string;
  role: "edit" | "view";
  phone: PhoneLink | null;
}

/** Who is connected; again whenever that changes. */
export interface Clients {
  type: "Clients";
  arrays: Array[];
  clients: ClientInfo[];
}

/** The rigs of the scene; again whenever they change. */
export interface SceneInfo {
  type: "SceneInfo";
  arrays: Array[];
  model: string;
  rigs: RigInfo[];
  scale: number;
  unit: string;
}

/** The state of the document; again after every step. */
export interface Document {
  type: "Document";
  arrays: Array[];
  revision: number;
  name: string;
  path: string | null;
  saved: boolean;
  takes: Record<string, TakeInfo[]>;
  constraints: ConstraintInfo[];
  found_takes: Record<string, Record<string, Record<string, string>>>;
  recordings: RecordingInfo[];
  activities: ActivityInfo[];
  poses: StoredPoseInfo[];
  flow: FlowInfo | null;
  roles: Record<string, Record<string, string>>;
  ground: GroundBlock[];
  sound: SoundInfo | null;
  done: string[];
  undone: string[];
  warnings: string[];
}

/** Keys of channels. Rows of `keys` (K, 9): time, value, in dt, in dv, out dt, out dv, in kind, out kind, interpolation. */
export interface Keys {
  type: "Keys";
  arrays: Array[];
  character: string;
  take: string;
  preview_of: number | null;
  channels: number[];
  counts: number[];
  extrapolation: ([ExtrapolationType, ExtrapolationType])[];
}

/** The answer to `RequestPose`. */
export interface CopiedPose {
  type: "CopiedPose";
  arrays: Array[];
  character: string;
  values: Record<string, number>;
}

/** Poses of frames: `poses` (F, J * stride + W). */
export interface Frames {
  type: "Frames";
  arrays: Array[];
  character: string;
  take: string;
  preview_of: number | null;
  first: number;
  without_layers: boolean;
}

/** A motion curve: `times` (T,), `positions` (T, 3), `orientations` (T, 4) xyzw, `speeds` (T,). Part of one where it does not begin at 0: only that stretch has changed. Long previews have positions only. */
export interface Curve {
  type: "Curve";
  arrays: Array[];
  character: string;
  take: string;
  preview_of: number | null;
  point: PointRef;
  first: number;
  total: number;
  per_frame: number;
  keys: number[] | null;
}

/** The footplants detected in a take. */
export interface Footplants {
  type: "Footplants";
  arrays: Array[];
  character: string;
  take: string;
  footplants: FootplantInfo[];
}

/** Events detected in a take that its activity lacks, and the elements that they name. */
export interface ProposedEvents {
  type: "ProposedEvents";
  arrays: Array[];
  character: string;
  take: string;
  objects: ActivityObjectInfo[];
  effectors: EffectorInfo[];
  events: ProposedEventInfo[];
  problem: string;
}

/** What a tool draws of a take before a gesture. */
export interface RestOverlays {
  type: "RestOverlays";
  arrays: Array[];
  tool: string;
  character: string;
  take: string;
  overlays: Overlay[];
  problem: string;
}

/** How many key poses a take needs within a tolerance, once `share` is 1. */
export interface ReductionInfo {
  type: "ReductionInfo";
  arrays: Array[];
  character: string;
  take: string;
  tolerance: number;
  poses: "aligned" | "per-channel";
  share: number;
  key_poses: number;
  error: number;
}

/** An interaction as it stands: `pose0`, `pose1` ... (J * stride + W) are the `poses`. `mesh0`, `mesh1` ... (K, 4) are the vertices of the `meshes` that move: index, offset in m. */
export interface Preview {
  type: "Preview";
  arrays: Array[];
  interaction: number;
  poses: PoseInfo[];
  meshes: MeshInfo[];
  span: Vec2 | null;
  drag: DragInfo | null;
  overlays: Overlay[];
}

/** Notes about an interaction whose pointer rests: residuals and what blocks it. */
export interface Notes {
  type: "Notes";
  arrays: Array[];
  interaction: number;
  notes: NoteInfo[];
  offer: OfferInfo | null;
}

/** How a step moved the frames of a take in time: linear between these times. */
export interface RetimedInfo {
  character: string;
  take: string;
  before: number[];
  after: number[];
}

/** An interaction was committed or cancelled: its previews are void. */
export interface InteractionEnded {
  type: "InteractionEnded";
  arrays: Array[];
  interaction: number;
  committed: boolean;
  label: string;
  retimed: RetimedInfo | null;
}

/** A commit with `if_changed` would change nothing: it stays open, its notes say why. */
export interface InteractionUnchanged {
  type: "InteractionUnchanged";
  arrays: Array[];
  interaction: number;
}

/** A request failed: what happened, what was kept, what to do. */
export interface Failure {
  type: "Failure";
  arrays: Array[];
  text: string;
}

/** The outcome of a job; a warning states what was lost. */
export interface Report {
  type: "Report";
  arrays: Array[];
  text: string;
  severity: "info" | "warning";
  notes: NoteInfo[];
}

/** The progress of a job; it has ended when `share` is 1. */
export interface Job {
  type: "Job";
  arrays: Array[];
  job: number;
  label: string;
  share: number;
  cancel: boolean;
}

/** Written to disk. */
export interface Saved {
  type: "Saved";
  arrays: Array[];
  path: string;
}

/** A file to fetch. */
export interface Download {
  type: "Download";
  arrays: Array[];
  address: string;
  name: string;
}

/** What can be opened. */
export interface Folder {
  type: "Folder";
  arrays: Array[];
  folder: string;
  entries: FileInfo[];
}

/** The recent documents of `Welcome` have changed. */
export interface Recent {
  type: "Recent";
  arrays: Array[];
  recent: RecentInfo[];
}

/** All points behind a plane. */
export interface HalfSpace {
  shape: "half_space";
  position: Vec3;
  normal: Vec3;
}

/** An axis-aligned box between two corners. */
export interface Box {
  shape: "box";
  low: Vec3;
  high: Vec3;
}

/** All points within a radius of a center. */
export interface Sphere {
  shape: "sphere";
  center: Vec3;
  radius: number;
}

/** A cylinder between the centers of its two ends. */
export interface Cylinder {
  shape: "cylinder";
  start: Vec3;
  end: Vec3;
  radius: number;
}

export type Region = HalfSpace | Box | Sphere | Cylinder;

/** The point keeps its current path. */
export interface Pin {
  kind: "pin";
  point: PointRef;
  start: number;
  end: number;
  position: boolean;
  orientation: boolean;
}

/** The point is fixed, in the world or relative to another point. */
export interface Contact {
  kind: "contact";
  point: PointRef;
  start: number;
  end: number;
  position: boolean;
  orientation: boolean;
  relative_to: PointRef | null;
}

/** Two points of a character keep their distance, or a given one. */
export interface DistanceConstraint {
  kind: "distance";
  point: PointRef;
  other: PointRef;
  start: number;
  end: number;
  distance: number | null;
}

/** The point has the same position at the start and at the end. */
export interface CoincidentConstraint {
  kind: "coincident";
  point: PointRef;
  start: number;
  end: number;
}

/** The point follows a smooth path through given positions. */
export interface PathConstraint {
  kind: "path";
  point: PointRef;
  times: number[];
  positions: Vec3[];
}

/** The joint of the point has a given world orientation. */
export interface OrientationConstraint {
  kind: "orientation";
  point: PointRef;
  start: number;
  end: number;
  orientation: Quat;
}

/** The point stays inside or outside a region. */
export interface RegionConstraint {
  kind: "region";
  point: PointRef;
  start: number;
  end: number;
  region: Region;
  inside: boolean;
}

/** A point, or every foot, stays above a height or its lowest position. */
export interface FloorConstraint {
  kind: "floor";
  start: number;
  end: number;
  height: number | null;
  point: PointRef | null;
}

/** The center of mass stays over the support, or as near as it was. */
export interface BalanceConstraint {
  kind: "balance";
  start: number;
  end: number;
  margin: number;
}

/** The acceleration of the center of mass is kept; with a gravity it follows that parabola. */
export interface FlightConstraint {
  kind: "flight";
  start: number;
  end: number;
  gravity: number | null;
}

/** The joint bends about one axis only so far, as a knee or an elbow does. */
export interface HingeConstraint {
  kind: "hinge";
  point: PointRef;
  start: number;
  end: number;
  axis: Vec3 | null;
  low: number | null;
  high: number | null;
}

export type Constraint = Pin | Contact | DistanceConstraint | CoincidentConstraint | PathConstraint | OrientationConstraint | RegionConstraint | FloorConstraint | BalanceConstraint | FlightConstraint | HingeConstraint;

export type Overlay = CurveOverlay | MarkersOverlay | HandleOverlay | StrokeOverlay | TextOverlay | SpanOverlay | ChoicesOverlay;

export type Change = MoveKeys | CopyKeys | DeleteKeys | AddKeys | MoveHandle | SetHandles | SetInterpolation | SetExtrapolation | AddConstraint | ChangeConstraint | RemoveConstraint | SolveConstraints | DetectContacts | AcceptFootplants | SetLimits | SetStiffness | SetLengths | SetRoot | SetAttached | SetTiming | CopyTake | RenameTake | RemoveTake | FitTake | MakeAvatar | RemoveActor | BeginActivity | AddToActivity | RemoveActivity | RemoveElement | ChangeEvent | RenameEvent | RemoveEvent | MuteLayer | SetLayerWeight | RenameLayer | MoveLayer | RemoveLayer | CopyLayer | FlattenLayers | BakeLayers | PastePose | ApplyStoredPose | MirrorPose | ResetPose | TweenPose | StorePose | RenamePose | RemovePose | AddMarker | ChangeMarker | RemoveMarker | SetRole | SetGround | ChangeSound | RemoveSound;

export type ClientMessage = Introduce | Subscribe | RequestFrames | RequestKeys | RequestPose | RequestFootplants | RequestProposedEvents | RequestRestOverlays | RequestReduction | CancelReduction | BeginInteraction | UpdateInteraction | AppendStroke | SetOptions | CommitInteraction | CancelInteraction | AcceptOffer | SolveFurther | PreviewChange | ApplyChange | ApplyChanges | Undo | Redo | GoToStep | Open | DiscardRecovered | ImportUpload | ReplaceObject | Retarget | Save | Export | ListFolder | CancelJob;

export type ServerMessage = Welcome | Clients | SceneInfo | Document | Keys | CopiedPose | Frames | Curve | Footplants | ProposedEvents | RestOverlays | ReductionInfo | Preview | Notes | InteractionEnded | InteractionUnchanged | Failure | Report | Job | Saved | Download | Folder | Recent;
