import { Euler, Quaternion, Vector3 } from "three";
import { expect, test } from "vitest";
import path from "../../fixtures/phone_path.json";
import type { DevicePose } from "./device";
import { OrientationStick, phoneOrientation } from "./orientationStick";

const STAND = { position: [0, 1.5, 2.8], target: [0, 1.05, 0] } as const;
const upright = { alpha: 0, beta: 90, gamma: 0 };

function ahead([, [w, x, y, z]]: DevicePose): Vector3 {
  return new Vector3(0, 0, -1).applyQuaternion(new Quaternion(x, y, z, w));
}

function turned(yaw: number, pitch: number): Quaternion {
  const rad = Math.PI / 180;
  return new Quaternion().setFromEuler(new Euler(pitch * rad, yaw * rad, 0, "YXZ"));
}

function centred(): OrientationStick {
  const stick = new OrientationStick();
  stick.recentre({ position: [0, 1, 2], target: [0, 1, 0] });
  stick.orient(turned(130, -20));
  return stick;
}

const close = (found: readonly number[], wanted: readonly number[]) =>
  wanted.forEach((each, i) => expect(found[i]).toBeCloseTo(each, 5));

test("a phone looks through its back: upright ahead, flat on the table downwards", () => {
  const look = (angles: typeof upright, screen = 0) =>
    new Vector3(0, 0, -1).applyQuaternion(phoneOrientation(angles, screen)).toArray();
  close(look(upright), [0, 0, -1]);
  close(look({ ...upright, beta: 0 }), [0, -1, 0]);
  close(look({ ...upright, alpha: 90 }), [-1, 0, 0]); // to the left
});

test("turned on its side, the picture stays upright and looks the same way", () => {
  const side = phoneOrientation({ alpha: 90, beta: 0, gamma: -90 }, 90);
  close(new Vector3(0, 1, 0).applyQuaternion(side).toArray(), [0, 1, 0]);
  close(new Vector3(0, 0, -1).applyQuaternion(side).toArray(), [0, 0, -1]);
});

test("however it is held at first, it looks at the target; then it turns with the phone", () => {
  const stick = centred();
  close(stick.pose()[0], [0, 1, 2]);
  close(ahead(stick.pose()).toArray(), [0, 0, -1]);
  stick.orient(turned(160, -20)); // 30 degrees to the left
  close(ahead(stick.pose()).toArray(), [-0.5, 0, -Math.sqrt(0.75)]);
  stick.recentre({ position: [0, 1, 2], target: [0, 1, 0] });
  close(ahead(stick.pose()).toArray(), [0, 0, -1]);
});

test("sensitivity scales the angles, also beyond half a turn", () => {
  const stick = centred();
  stick.sensitivity = 2;
  for (let yaw = 130; yaw <= 290; yaw += 10) stick.orient(turned(yaw, -20));
  const { y } = new Euler().setFromQuaternion(
    new Quaternion(...([1, 2, 3, 0] as const).map((i) => stick.pose()[1][i])),
    "YXZ",
  );
  expect(y).toBeCloseTo(((320 - 360) * Math.PI) / 180);
  stick.orient(turned(290, 60)); // 160 degrees up are no more than straight up
  expect(ahead(stick.pose()).y).toBeLessThan(1);
  expect(ahead(stick.pose()).y).toBeGreaterThan(0.99);
});

test("a finger leads along the ground, wherever the phone points; a resting one does not", () => {
  const stick = centred();
  stick.size = 1;
  stick.orient(turned(130, -60)); // downwards
  stick.lead(4, 1);
  close(stick.pose()[0], [0, 1, 2]);
  stick.lead(500, 0.5);
  close(stick.pose()[0], [0, 1, 1]); // at most two body heights a second
  stick.lead(-500, 0.5);
  close(stick.pose()[0], [0, 1, 2]);
  stick.raise(50);
  close(stick.pose()[0], [0, 1.2, 2]);
  stick.recentre({ position: [0, 1, 2], target: [0, 1, 0] });
  close(stick.pose()[0], [0, 1, 2]);
});

test("a tracked phone moves the device, in the directions that are seen", () => {
  const stick = new OrientationStick();
  stick.recentre({ position: [0, 1, 2], target: [0, 1, 0] });
  stick.orient(turned(90, 0), new Vector3(5, 5, 5)); // in a room it looks along -x
  stick.orient(turned(90, 0), new Vector3(4.5, 5.25, 5));
  close(stick.pose()[0], [0, 1.25, 1.5]); // ahead and up
});

test("without a sensor a drag looks around", () => {
  const stick = new OrientationStick();
  stick.recentre({ position: [0, 1, 2], target: [0, 1, 0] });
  stick.look(Math.PI / 2, 0);
  close(ahead(stick.pose()).toArray(), [-1, 0, 0]);
});

test("a path of a phone is the path of a device: a test of the tool performs it", async () => {
  const stick = new OrientationStick();
  stick.size = 1.7;
  stick.recentre({ position: [...STAND.position], target: [...STAND.target] });
  let before = 0;
  const rows = path.map(({ time, finger, ...angles }) => {
    stick.orient(phoneOrientation(angles, 0));
    stick.lead(finger, time - before);
    before = time;
    const [position, rotation] = stick.pose();
    const rounded = (values: readonly number[]) => values.map((each) => Number(each.toFixed(5)));
    return JSON.stringify({ time, position: rounded(position), rotation: rounded(rotation) });
  });
  const text = `{"samples": [\n${rows.join(",\n")}\n]}\n`;
  await expect(text).toMatchFileSnapshot("../../fixtures/phone_poses.json");
});
