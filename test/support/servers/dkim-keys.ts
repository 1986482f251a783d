import type { MakeDkimKey } from '../../../src/core/ports.js';
import { makeDkimKey } from '../../../src/mime/dkim-verify.js';

/** Enough for each domain of one test to have its own. */
const PAIRS = 4;
const pairs: ReturnType<MakeDkimKey>[] = [];

/** Returns a source of real keys that an app's domains, and all apps of this process, take in turn: each costs 0.2 s to make. */
export function repeatedDkimKeys(): MakeDkimKey {
  let made = 0;
  return () => {
    const turn = made++ % PAIRS;
    pairs[turn] ??= makeDkimKey();
    return pairs[turn];
  };
}
