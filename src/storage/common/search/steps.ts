import { INSTANT_MAX, INSTANT_MIN } from '../../../contract/vocabulary/instants.js';
import type { Query } from '../../../contract/vocabulary/query/query.js';
import type { Awaitable } from '../sql.js';

/** The numbers of emails between two others. */
export interface Range {
  after: number;
  before: number;
}

/** Number of consecutive email numbers that the first statement of a search covers. */
const RANGE_FIRST = 4_096;
/** Later statements cover more, up to this number. A statement over so many takes at most a few dozen milliseconds. */
export const RANGE_MAX = 262_144;
/** Number of candidates that the first statement of a search in the index finds. */
const COUNT_FIRST = 128;
/** Later statements find more, up to this number. */
const COUNT_MAX = 8_192;
const GROWTH = 4;

/** Candidates, newest first. All those after `down` are found. */
export interface Found {
  seqs: number[];
  down: number;
}

/** Finds candidates in a range. If there are more than `limit`, it finds the newest of them. */
export type Find = (range: Range, limit: number) => Awaitable<Found>;

/** Steps through the candidates of a search, newest first. */
export interface Candidates {
  /** Whether every candidate matches. */
  readonly isExact: boolean;
  /** Candidates from this number on were returned. */
  readonly before: number;
  readonly isAtEnd: boolean;
  /** Whether it has read as many emails as one search may. Another search can continue at `before`. */
  readonly isOverLimit: boolean;
  /** Returns the next candidates: at most `limit`, and perhaps none although others follow. */
  next(limit: number): Promise<number[]>;
}

/** Searches rows in growing ranges of numbers, because a statement reads all rows of its range. */
export class StepsOfRange implements Candidates {
  readonly isOverLimit = false;
  #size = RANGE_FIRST;

  constructor(
    /** The ranges that may have candidates, newest first. */
    private readonly ranges: Range[],
    readonly isExact: boolean,
    private readonly rangeMax = RANGE_MAX,
    private readonly find: Find,
  ) {}

  get before(): number {
    return this.ranges[0]?.before ?? 0;
  }

  get isAtEnd(): boolean {
    return this.ranges.every(isEmpty);
  }

  async next(limit: number): Promise<number[]> {
    const found: number[] = [];
    let left = this.#size;
    for (let range = this.ranges[0]; range && left > 0 && found.length < limit; range = this.ranges[0]) {
      const { before } = range;
      const after = Math.max(range.after, before - left);
      const { seqs, down } = await this.find({ after, before }, limit - found.length);
      for (const seq of seqs) found.push(seq);
      left -= before - after;
      range.before = down + 1;
      if (isEmpty(range)) this.ranges.shift();
    }
    if (found.length < limit) this.#size = Math.min(this.#size * GROWTH, this.rangeMax);
    return found;
  }
}

/**
 * Searches for growing numbers of emails. Ranges would not help: an index finds the newest emails that match without
 * reading others.
 */
export class StepsOfCount implements Candidates {
  readonly isExact = false;
  before: number;
  #count = COUNT_FIRST;
  #asked = 0;
  #found: number[] = [];

  constructor(
    private readonly range: Range,
    private readonly find: Find,
    /** Number of emails that all statements together ask for (default: no limit). */
    private readonly askedMax = Number.POSITIVE_INFINITY,
  ) {
    this.before = range.before;
  }

  get isAtEnd(): boolean {
    return this.#found.length === 0 && isEmpty(this.range);
  }

  get isOverLimit(): boolean {
    return this.#found.length === 0 && this.#asked >= this.askedMax;
  }

  async next(limit: number): Promise<number[]> {
    if (this.#found.length === 0) {
      const { seqs, down } = await this.find(this.range, this.#count);
      this.#asked += this.#count;
      this.#count = Math.min(this.#count * GROWTH, COUNT_MAX);
      this.#found = seqs;
      this.range.before = down + 1;
    }
    const next = this.#found.slice(0, limit);
    this.#found = this.#found.slice(limit);
    this.before = this.#found.length > 0 ? (next.at(-1) ?? 0) : this.range.before;
    return next;
  }
}

function isEmpty({ after, before }: Range): boolean {
  return before <= after + 1;
}

/** Returns what was found in a range with a limit. */
export function foundIn(seqs: number[], { after }: Range, limit: number): Found {
  return { seqs, down: seqs.length < limit ? after : (seqs.at(-1) ?? 1) - 1 };
}

/** Returns the candidates of several statements over the same range. */
export function merged(all: readonly Found[]): Found {
  const down = Math.max(...all.map((found) => found.down));
  const seqs = new Set(all.flatMap((found) => found.seqs).filter((seq) => seq > down));
  return { seqs: [...seqs].sort((a, b) => b - a), down };
}

/** Returns the first and the last instant at which a match can have been created. */
export function createdIn(query: Query, now: number): [from: number, to: number] {
  let [from, to] = [INSTANT_MIN, INSTANT_MAX];
  for (const term of query.kind === 'and' ? query.terms : [query]) {
    const isNegated = term.kind === 'not';
    const condition = isNegated ? term.term : term;
    if (condition.kind !== 'condition' || (condition.field !== 'before' && condition.field !== 'after')) continue;
    const at = 'at' in condition.time ? condition.time.at : now - condition.time.ago;
    if ((condition.field === 'before') !== isNegated) to = Math.min(to, at);
    else from = Math.max(from, at);
  }
  return [from, to];
}
