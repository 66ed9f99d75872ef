import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";

import { ALGORITHM, check, faces, seedOf } from "../rulewright-stream.mjs";

const folder = new URL("../../../openapi/vectors/", import.meta.url);
const files = readdirSync(folder).filter((name) => name.endsWith(".json"));

function resolution(changes = {}) {
  return {
    audit: [
      { rule: "example.base", kind: "base", value: 12, total: 12, text: "" },
      { rule: "example.attack", kind: "roll", dice: { sides: 6, faces: [1, 2, 4] }, value: 7, text: "" },
      { rule: "example.pool", kind: "roll", dice: { sides: 10, faces: [10, 2] }, value: 1, text: "" },
    ],
    randomness: { source: "seed", algorithm: ALGORITHM, seed: "table-7", faces: [1, 2, 4, 10, 2], ...changes },
  };
}

for (const file of files) {
  const { algorithm, vectors } = JSON.parse(readFileSync(new URL(file, folder), "utf-8"));
  test(`${file}: the algorithm is ours and there are vectors`, () => {
    assert.equal(algorithm, ALGORITHM);
    assert.ok(vectors.length > 0);
  });
  for (const { name, seed, rolls, faces: published, batch_seed: batchSeed, item } of vectors) {
    test(`${file}: ${name}`, async () => {
      assert.deepEqual(await faces(seed, rolls), published);
      if (item !== undefined) assert.equal(seedOf(batchSeed, item), seed);
    });
  }
}

test("there are files of vectors", () => assert.ok(files.length >= 4));

test("a resolution on its own seed is right", async () => {
  const shown = [1, 2, 4, 10, 2];
  assert.deepEqual(await check(resolution()), { ok: true, stream: true, reason: null, expected: shown, shown });
});

test("one face changed in step and list alike is found by the stream", async () => {
  const changed = resolution({ faces: [1, 2, 5, 10, 2] });
  changed.audit[1].dice.faces[2] = 5;
  const { ok, stream, expected, shown } = await check(changed);
  assert.deepEqual({ ok, stream, expected, shown }, {
    ok: false, stream: true, expected: [1, 2, 4, 10, 2], shown: [1, 2, 5, 10, 2],
  });
});

test("one face changed in the list or in a step alone is found without the stream", async () => {
  const inAStep = resolution();
  inAStep.audit[1].dice.faces[0] = 6;
  for (const changed of [resolution({ faces: [1, 2, 4, 10, 3] }), resolution({ faces: [1, 2, 4, 10] }), inAStep]) {
    const { ok, stream, reason } = await check(changed);
    assert.deepEqual([ok, stream], [false, false]);
    assert.match(reason, /randomness\.faces/);
  }
});

test("another seed is found", async () => {
  assert.equal((await check(resolution({ seed: "table-8" }))).ok, false);
});

test("a die with other sides is found", async () => {
  const changed = resolution();
  changed.audit[1].dice.sides = 8;
  assert.equal((await check(changed)).ok, false);
});

test("an event is checked once its seed is revealed", async () => {
  const rolls = [{ count: 3, sides: 6 }, { count: 2, sides: 10 }];
  const shown = await faces("secret/17", rolls);
  const event = resolution({ seed: null, faces: shown });
  event.audit[1].dice.faces = shown.slice(0, 3);
  event.audit[2].dice.faces = shown.slice(3);
  assert.equal((await check(event)).reason, "the seed is not revealed yet");
  assert.equal((await check(event, seedOf("secret", 17))).ok, true);
  assert.equal((await check(event, seedOf("secret", 18))).ok, false);
});

test("supplied dice have no stream, only their steps", async () => {
  const supplied = { source: "dice", algorithm: null, seed: null };
  assert.deepEqual(await check(resolution(supplied)), {
    ok: true, stream: false, reason: null, expected: null, shown: [1, 2, 4, 10, 2],
  });
  assert.equal((await check(resolution({ ...supplied, faces: [1] }))).ok, false);
});

test("another algorithm is not claimed to be right", async () => {
  assert.equal((await check(resolution({ algorithm: "hmac-sha256-v2" }))).ok, false);
});

test("a resolution without dice is right", async () => {
  const quiet = resolution({ faces: [] });
  quiet.audit = quiet.audit.slice(0, 1);
  assert.equal((await check(quiet)).ok, true);
});

test("what is no seed, no die or no count is said", async () => {
  for (const seed of ["", 7, null, undefined]) await assert.rejects(faces(seed, []), TypeError);
  for (const sides of [1, 0, 257, 2.5, "6"]) await assert.rejects(faces("a", [{ count: 1, sides }]), RangeError);
  for (const count of [-1, 0.5, "1"]) await assert.rejects(faces("a", [{ count, sides: 6 }]), RangeError);
});
