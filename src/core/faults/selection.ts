import { createHash } from 'node:crypto';
import type { FaultRecord } from '../model/faults.js';

/** Chooses the matches that a fault is injected into. */

/** Counts a match, and returns whether the fault is injected. The same matches in the same order give the same result. */
export function countMatch(fault: FaultRecord): boolean {
  fault.seen += 1;
  const { seen, every, probability, seed } = fault;
  if (every !== null && seen % every !== 0) return false;
  if (probability !== null && chance(seed, seen) >= probability) return false;
  fault.hits += 1;
  return true;
}

export function isUsedUp({ times, hits }: FaultRecord): boolean {
  return times !== null && hits >= times;
}

/** Returns a number from 0 to less than 1 for each pair of a seed and a place. */
function chance(seed: number, place: number): number {
  return createHash('sha256').update(`${seed}:${place}`).digest().readUIntBE(0, 6) / 2 ** 48;
}
