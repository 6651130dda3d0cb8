import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';

/** How long something may take to become so, in milliseconds: a bound for broken code, which no slow machine reaches. */
export const PATIENCE = 60_000;

/**
 * Waits until get gives what is wanted.
 *
 * @template T
 * @param {() => Promise<T> | T} get
 */
export const expect = (get) => {
  const until = async (/** @type {(value: T) => void} */ check) => {
    for (const end = Date.now() + PATIENCE; ; await sleep(20)) {
      try {
        return check(await get());
      } catch (error) {
        if (Date.now() > end) throw error;
      }
    }
  };
  return {
    is: (/** @type {T} */ want) => until((got) => assert.equal(got, want)),
    equals: (/** @type {T} */ want) => until((got) => assert.deepEqual(got, want)),
    matches: (/** @type {RegExp} */ want) => until((got) => assert.match(String(got), want)),
  };
};
