import { Vector3 } from "three";
import { expect, test } from "vitest";
import { anatomyOf, type Tree } from "./anatomy";

/** Where joints are in a T-pose, in metres; what is right mirrors what is left. */
const PLACES = {
  floor: [0, 0, 0],
  pelvis: [0, 1, 0],
  belly: [0, 1.12, 0],
  chest: [0, 1.28, 0],
  neck: [0, 1.5, 0],
  throat: [0, 1.55, 0],
  head: [0, 1.6, 0.01],
  hip: [0.09, 0.92, 0],
  knee: [0.09, 0.5, 0.01],
  ankle: [0.09, 0.08, 0],
  toe: [0.09, 0.02, 0.14],
  collar: [0.04, 1.42, 0],
  shoulder: [0.18, 1.44, 0],
  elbow: [0.46, 1.44, 0],
  wrist: [0.72, 1.44, 0],
  finger: [0.81, 1.44, 0],
} satisfies Record<string, [number, number, number]>;

/** Lines of a place, a joint and what it hangs on; a line with < > stands for the left and the right one. */
function skeleton(lines: string, left: string, right: string): { tree: Tree; places: Vector3[] } {
  const rows = lines
    .trim()
    .split("\n")
    .flatMap((line) =>
      /<>/.test(line)
        ? [left, right].map((side) => ({
            line: line.replaceAll("<>", side),
            way: side === left ? 1 : -1,
          }))
        : [{ line, way: 1 }],
    );
  const read = rows.map(({ line, way }) => ({ way, words: line.trim().split(/ +/) }));
  const joints = read.map(({ words }) => words[1]!);
  const places = read.map(({ way, words }) =>
    new Vector3(...PLACES[words[0] as keyof typeof PLACES]).multiply(new Vector3(way, 1, 1)),
  );
  return {
    tree: { joints, parents: read.map(({ words }) => joints.indexOf(words[2] ?? "")) },
    places,
  };
}

/** The ends of limbs that are found, left first, and the head. */
function endsOf({ tree, places }: ReturnType<typeof skeleton>): string[] | null {
  const found = anatomyOf(tree, places);
  return (
    found &&
    [...found.arms, ...found.legs]
      .map((limb) => tree.joints[limb.joints.at(-1)!]!)
      .concat(tree.joints[found.head]!)
  );
}

const UNREAL = `
  floor root
  pelvis pelvis root
  belly spine_01 pelvis
  chest spine_02 spine_01
  neck neck_01 spine_02
  throat neck_02 neck_01
  head head neck_02
  collar clavicle_<> spine_02
  shoulder upperarm_<> clavicle_<>
  shoulder upperarm_twist_01_<> upperarm_<>
  elbow lowerarm_<> upperarm_<>
  wrist lowerarm_twist_01_<> lowerarm_<>
  wrist hand_<> lowerarm_<>
  finger middle_metacarpal_<> hand_<>
  finger middle_01_<> middle_metacarpal_<>
  hip thigh_<> pelvis
  knee calf_<> thigh_<>
  ankle foot_<> calf_<>
  toe ball_<> foot_<>
  floor ik_foot_root root
  ankle ik_foot_<> ik_foot_root
  floor ik_hand_root root
  wrist ik_hand_gun ik_hand_root
  wrist ik_hand_<> ik_hand_gun
  floor interaction root
  floor center_of_mass root`;

const MIXAMO = `
  pelvis mixamorig:Hips
  belly mixamorig:Spine mixamorig:Hips
  chest mixamorig:Spine1 mixamorig:Spine
  neck mixamorig:Neck mixamorig:Spine1
  head mixamorig:Head mixamorig:Neck
  head mixamorig:HeadTop_End mixamorig:Head
  collar mixamorig:<>Shoulder mixamorig:Spine1
  shoulder mixamorig:<>Arm mixamorig:<>Shoulder
  elbow mixamorig:<>ForeArm mixamorig:<>Arm
  wrist mixamorig:<>Hand mixamorig:<>ForeArm
  finger mixamorig:<>HandIndex1 mixamorig:<>Hand
  hip mixamorig:<>UpLeg mixamorig:Hips
  knee mixamorig:<>Leg mixamorig:<>UpLeg
  ankle mixamorig:<>Foot mixamorig:<>Leg
  toe mixamorig:<>ToeBase mixamorig:<>Foot
  toe mixamorig:<>Toe_End mixamorig:<>ToeBase`;

const ROKOKO = MIXAMO.replaceAll("mixamorig:", "").replace(
  "finger <>HandIndex1 <>Hand",
  "finger <>InHandIndex <>Hand\n  finger <>HandIndex1 <>InHandIndex",
);

/** Names of the capture as it was published, sides written onto the words. */
const CMU = `
  pelvis root
  pelvis <>hipjoint root
  hip <>femur <>hipjoint
  knee <>tibia <>femur
  ankle <>foot <>tibia
  toe <>toes <>foot
  belly lowerback root
  chest thorax lowerback
  neck lowerneck thorax
  throat upperneck lowerneck
  head head upperneck
  collar <>clavicle thorax
  shoulder <>humerus <>clavicle
  elbow <>radius <>humerus
  wrist <>wrist <>radius
  wrist <>hand <>wrist
  finger <>fingers <>hand`;

test("an Unreal mannequin has hands and feet, and its ik joints are none", () => {
  expect(endsOf(skeleton(UNREAL, "l", "r"))).toEqual([
    "hand_l",
    "hand_r",
    "foot_l",
    "foot_r",
    "head",
  ]);
});

test("ik joints of other spellings are none either", () => {
  for (const name of ["IK_<>Hand", "<>HandIK", "ik<>Foot", "<>FootTarget", "<>FootPole"]) {
    const lines = `floor Root\n${MIXAMO.trim()} \n floor ${name} Root`.replace(
      "mixamorig:Hips\n",
      "mixamorig:Hips Root\n",
    );
    expect(endsOf(skeleton(lines, "Left", "Right")), name).toContain("mixamorig:LeftFoot");
  }
});

test("Mixamo, Rokoko and CMU name hands and feet in their own ways", () => {
  const named = ["LeftHand", "RightHand", "LeftFoot", "RightFoot", "Head"];
  expect(endsOf(skeleton(MIXAMO, "Left", "Right"))).toEqual(
    named.map((name) => `mixamorig:${name}`),
  );
  expect(endsOf(skeleton(ROKOKO, "Left", "Right"))).toEqual(named);
  expect(endsOf(skeleton(CMU, "l", "r"))).toEqual(["lwrist", "rwrist", "lfoot", "rfoot", "head"]);
});

test("left comes first, whichever comes first in the file", () => {
  expect(endsOf(skeleton(ROKOKO, "Right", "Left"))).toEqual([
    "LeftHand",
    "RightHand",
    "LeftFoot",
    "RightFoot",
    "Head",
  ]);
});

test("a word that only begins like a hand, a foot or a head is none", () => {
  for (const name of [
    "Handlebar",
    "Footrest",
    "headlight",
    "Football",
    "sword_handle",
    "overhead",
  ]) {
    expect(
      endsOf(
        skeleton(
          `floor ${name}Root\nfloor ${name} ${name}Root\n${ROKOKO.trim()}`.replace(
            "Hips\n",
            `Hips ${name}Root\n`,
          ),
          "Left",
          "Right",
        ),
      ),
      name,
    ).toEqual(["LeftHand", "RightHand", "LeftFoot", "RightFoot", "Head"]);
  }
});

test("of more than two hands the pair that mirrors counts, or the one that is plainly named", () => {
  for (const prop of ["wrist hand_truck Hips", "wrist Hand Hips", "wrist <>HandProp Hips"]) {
    expect(endsOf(skeleton(`${ROKOKO}\n  ${prop}`, "Left", "Right")), prop).toContain("RightHand");
  }
});

test("two pairs of hands that are named alike are no body", () => {
  expect(endsOf(skeleton(`${ROKOKO}\n  wrist <>Hand2 Spine1`, "Left", "Right"))).toBeNull();
});
