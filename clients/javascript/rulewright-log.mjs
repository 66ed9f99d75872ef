/**
 * The log of a Rulewright encounter, checked without the server: the chain of hashes, the state, and, once the seed is
 * revealed, the commitment and every die.
 *
 * Plain JavaScript with WebCrypto and nothing else: it runs in a browser (on https or localhost) and in Node 20 or later.
 */

import { faces, seedOf } from "./rulewright-stream.mjs";

const encoder = new TextEncoder();
const FOLDED = ["round", "turn", "order", "combatants", "pending"];

/**
 * Whether a whole log follows, as far as its reader sees it.
 *
 * A secret event that its reader may not see has no request and no resolution: its own hash cannot be recomputed, but the next
 * event still has to name it.
 *
 * @param {object} state the encounter, as `GET …/encounters/{id}` answers it
 * @param {object[]} events all its events in order, as `GET …/events` answers them
 * @returns {Promise<{ok: boolean, events: number, seed: boolean, sequence: number | null, reason: string | null}>}
 */
export async function checkLog(state, events) {
  const seed = state.seed;
  const answer = (sequence, reason) => ({ ok: reason === null, events: events.length, seed: seed !== null, sequence, reason });

  if (seed !== null && (await sha256(seed)) !== state.commitment) return answer(null, "the seed is not the one committed to");
  const folded = { round: 0, turn: null, order: [], combatants: {}, pending: null };
  let previous = null;
  for (const [index, event] of events.entries()) {
    const sequence = index + 1;
    if (event.sequence !== sequence) return answer(sequence, "the sequence has a gap");
    if (event.previous !== previous) return answer(sequence, "the event does not name the hash of the one before it");
    const hidden = event.visibility === "gm" && event.further === null;
    if (!hidden && (await hashOf(event)) !== event.hash) return answer(sequence, "the hash is not that of the event");
    if (!hidden && seed !== null && !(await rolledFrom(seed, event))) return answer(sequence, "the stream shows other faces");
    evolve(folded, event.effects);
    previous = event.hash;
  }
  const seen = Object.fromEntries(FOLDED.map((name) => [name, state[name]]));
  if (canonical(folded) !== canonical(seen)) return answer(events.length, "the effects do not add up to the state");
  return answer(null, null);
}

/** The SHA-256, in hex, of an event's canonical JSON without its hash and without texts. */
export async function hashOf(event) {
  const { hash, ...hashed } = event;
  return sha256(canonical(withoutTexts(hashed)));
}

/** Canonical JSON (RFC 8785): keys sorted, no spaces. */
export function canonical(value) {
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  const members = Object.keys(value).sort().map((key) => `${JSON.stringify(key)}:${canonical(value[key])}`);
  return `{${members.join(",")}}`;
}

/** Apply effects to a state, in place: the fold by which a log becomes a state. */
export function evolve(state, effects) {
  for (const { combatant, field, to } of effects) {
    if (field === "*") {
      if (to === null) delete state.combatants[combatant];
      else state.combatants[combatant] = structuredClone(to);
      continue;
    }
    const [first, ...rest] = field.split(".");
    const holder = combatant === null ? state : partWith(state.combatants[combatant], first);
    const key = rest.join(".");
    if (key === "") holder[first] = structuredClone(to);
    else if (to === null) delete holder[first][key];
    else holder[first][key] = structuredClone(to);
  }
}

function partWith(combatant, name) {
  if (name === "name" || name === "sheet") return combatant;
  return [combatant.turn, combatant.state].find((part) => name in part) ?? combatant;
}

/** Every die of an event is the next of its stream: those of its resolutions, then the fight's own. */
async function rolledFrom(seed, event) {
  const resolutions = event.resolution === null ? [] : [event.resolution, ...event.further.map((each) => each.resolution)];
  if (resolutions.some((each) => each.randomness.source !== "seed")) return true;
  const rolls = [...resolutions, event].flatMap((each) => each.audit).filter((step) => "dice" in step).map((step) => step.dice);
  const expected = await faces(seedOf(seed, event.sequence), rolls.map(({ faces, sides }) => ({ count: faces.length, sides })));
  const shown = rolls.flatMap((dice) => dice.faces);
  return shown.every((face, at) => face === expected[at]);
}

function withoutTexts(event) {
  return {
    ...event,
    audit: event.audit.map(withoutText),
    resolution: bare(event.resolution),
    further: event.further.map((each) => ({ ...each, resolution: bare(each.resolution) })),
  };
}

function bare(resolution) {
  return resolution === null ? null : { ...resolution, audit: resolution.audit.map(withoutText) };
}

function withoutText({ text, ...step }) {
  return step;
}

async function sha256(text) {
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", encoder.encode(text)));
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
