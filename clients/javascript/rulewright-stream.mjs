/**
 * The random stream `hmac-sha256-v1` of Rulewright, and a check of a resolution against it.
 *
 * Plain JavaScript with WebCrypto and nothing else: it runs in a browser (on https or localhost) and in Node 20 or later.
 */

export const ALGORITHM = "hmac-sha256-v1";

const encoder = new TextEncoder();

/** The bytes of a seed's stream: block i is HMAC-SHA-256(key = the seed in UTF-8, "dice/1/" and i in decimal). */
class Stream {
  #key;
  #block = new Uint8Array(0);
  #next = 0;
  #index = 0;

  constructor(key) {
    this.#key = key;
  }

  static async of(seed) {
    const form = { name: "HMAC", hash: "SHA-256" };
    return new Stream(await crypto.subtle.importKey("raw", encoder.encode(seed), form, false, ["sign"]));
  }

  async byte() {
    if (this.#next === this.#block.length) {
      const message = encoder.encode(`dice/1/${this.#index}`);
      this.#block = new Uint8Array(await crypto.subtle.sign("HMAC", this.#key, message));
      this.#index += 1;
      this.#next = 0;
    }
    return this.#block[this.#next++];
  }

  /** A byte that would make some faces likelier than others is skipped. */
  async face(sides) {
    const kept = 256 - (256 % sides);
    for (;;) {
      const byte = await this.byte();
      if (byte < kept) return (byte % sides) + 1;
    }
  }
}

/**
 * The faces of several rolls, one after the other, from the start of a seed's stream.
 *
 * @param {string} seed 1 to 128 characters
 * @param {Iterable<{count: number, sides: number}>} rolls `sides` from 2 to 256
 * @returns {Promise<number[]>}
 */
export async function faces(seed, rolls) {
  if (typeof seed !== "string" || seed === "") throw new TypeError("a seed is a string of at least one character");
  const stream = await Stream.of(seed);
  const shown = [];
  for (const { count, sides } of rolls) {
    if (!Number.isInteger(sides) || sides < 2 || sides > 256) throw new RangeError("a die has 2 to 256 sides");
    if (!Number.isInteger(count) || count < 0) throw new RangeError("a count of dice is a whole number");
    for (let die = 0; die < count; die += 1) shown.push(await stream.face(sides));
  }
  return shown;
}

/** The seed of item n (from 0) of a batch that gives one seed for all, or of event n of an encounter. */
export function seedOf(seed, n) {
  return `${seed}/${n}`;
}

/**
 * Whether the faces that a resolution shows are those of its seed.
 *
 * The faces of its roll steps, in order, have to be `randomness.faces`, and both those of the stream. An event of an
 * encounter shows no seed; once the encounter is closed, pass `seedOf(secretSeed, event.sequence)`. Dice that people rolled
 * have no seed: then only the steps are compared, and `stream` is false.
 *
 * @param {object} resolution as the service answered it; it is rejected when it is no resolution
 * @param {string | null} [seed] the resolution's own by default
 * @returns {Promise<{ok: boolean, stream: boolean, reason: string | null, expected: number[] | null, shown: number[]}>}
 */
export async function check(resolution, seed = resolution.randomness.seed) {
  const { source, algorithm, faces: claimed } = resolution.randomness;
  const rolls = resolution.audit.filter((step) => step.dice !== undefined).map((step) => step.dice);
  const shown = rolls.flatMap((dice) => dice.faces);
  const answer = (reason, stream, expected) => ({ ok: reason === null, stream, reason, expected, shown });

  if (!same(shown, claimed)) return answer("the steps show other faces than randomness.faces", false, null);
  if (source === "dice") return answer(null, false, null);
  if (algorithm !== ALGORITHM) return answer(`the algorithm is not ${ALGORITHM}`, false, null);
  if (seed === null) return answer("the seed is not revealed yet", false, null);

  const expected = await faces(seed, rolls.map((dice) => ({ count: dice.faces.length, sides: dice.sides })));
  return answer(same(shown, expected) ? null : "the stream of the seed shows other faces", true, expected);
}

function same(one, other) {
  return one.length === other.length && one.every((face, at) => face === other[at]);
}
