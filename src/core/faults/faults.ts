import { createHash } from 'node:crypto';
import { normalizeAddress } from '../../contract/vocabulary/addresses.js';
import { formatDuration } from '../../contract/vocabulary/durations.js';
import { type FaultStage, INJECTED } from '../../contract/vocabulary/faults/faults.js';
import { DAY_MS } from '../../contract/vocabulary/limits.js';
import { parseQuery } from '../../contract/vocabulary/query/parse-query.js';
import type { ServiceWarning } from '../../contract/vocabulary/warnings.js';
import { describeTimeout } from '../../contract/vocabulary/webhooks/attempts.js';
import type { Core } from '../context.js';
import type { FaultRecord } from '../model/resources.js';
import type { Clock, Post, PostRequest, PostResult } from '../ports.js';
import { compileQuery } from '../search/compile-query.js';
import type { Kept } from '../store.js';
import type { DocumentDeps } from './documents.js';
import { appliesTo, type FaultPoint, type SmtpPoint } from './points.js';

/** Maximum number of combinations to remember, the newest. */
const REMEMBERED_MAX = 10_000;

/** Remembers when each combination of client, sender and recipient was first seen. */
class Greylist {
  readonly #firstSeen = new Map<string, number>();

  /** @param kept where servers on one database remember together; undefined for one server, until it ends */
  constructor(
    private readonly clock: Pick<Clock, 'now' | 'systemNow'>,
    private readonly kept: Kept | undefined,
  ) {}

  /** Returns whether the fault defers a recipient now. */
  async defers({ id, greylistMs }: FaultRecord, { client, from = '', to = [] }: SmtpPoint): Promise<boolean> {
    const key = JSON.stringify([id, client, normalizeAddress(from), ...to.map(normalizeAddress)]);
    const now = this.clock.now();
    const first = await this.#first(key, now);
    // A later time is of a clock that was set back.
    if (first !== undefined && first <= now) return now < first + (greylistMs ?? 0);
    await this.#remember(key, now);
    return true;
  }

  async #first(key: string, now: number): Promise<number | undefined> {
    if (!this.kept) return this.#firstSeen.get(key);
    return Number(await this.kept.first(`greylist ${key}`, String(now), this.clock.systemNow() + DAY_MS));
  }

  async #remember(key: string, now: number): Promise<void> {
    if (this.kept) return this.kept.put(`greylist ${key}`, String(now), this.clock.systemNow() + DAY_MS);
    if (this.#firstSeen.size >= REMEMBERED_MAX) this.#forgetOldest();
    this.#firstSeen.set(key, now);
  }

  #forgetOldest(): void {
    const [oldest] = this.#firstSeen.keys();
    if (oldest !== undefined) this.#firstSeen.delete(oldest);
  }
}

export interface FaultDeps extends Pick<Core, 'store'>, DocumentDeps {
  /** Aborted when the server stops, which ends all delays. */
  stopping: AbortSignal;
  onInternalError(error: unknown): void;
}

/** Decides which faults are injected. They are kept in memory, so that servers without faults check one number. */
export class Faults {
  #faults: readonly FaultRecord[] = [];
  readonly #greylist;

  constructor(readonly deps: FaultDeps) {
    this.#greylist = new Greylist(deps.clock, deps.store.shared?.kept);
    deps.store.onCommit(({ replaced, settings }) => {
      if (!replaced && !settings) return;
      // Faults of an archive may have the IDs of present ones, with other counts.
      if (replaced) this.#faults = [];
      this.load().catch(deps.onInternalError);
    });
  }

  /** Whether there are any faults. */
  get any(): boolean {
    return this.#faults.length > 0;
  }

  /** Whether a fault may apply at a stage of an SMTP session. */
  anyAt(stage: FaultStage): boolean {
    return this.#faults.some((fault) => fault.smtp === stage && !isUsedUp(fault));
  }

  /** Reads the faults again. Those that are known keep their counts, of which the last may not be stored yet. */
  async load(): Promise<void> {
    const stored = await this.deps.store.read.faults.list();
    const known = new Map(this.#faults.map((fault) => [fault.id, fault]));
    this.#faults = stored.map((fault) => known.get(fault.id) ?? fault);
  }

  /** Returns the fault to inject at a point, and counts it. The newest that applies takes precedence. */
  async take(point: FaultPoint): Promise<FaultRecord | undefined> {
    for (const fault of this.#faults) {
      if (isUsedUp(fault) || !appliesTo(fault, point)) continue;
      if (fault.query !== null && !(await this.#matchesQuery(fault.query, point))) continue;
      // Others may have used it up meanwhile.
      if (isUsedUp(fault) || !(await this.#defers(fault, point))) continue;
      if (await this.#count(fault)) return fault;
    }
    return undefined;
  }

  /**
   * Waits until a number of milliseconds has passed, on the service's clock or on the machine's, or until the server
   * stops or the signal aborts.
   */
  wait(milliseconds: number, signal?: AbortSignal): Promise<void> {
    const { clock, stopping } = this.deps;
    if (stopping.aborted || signal?.aborted) return Promise.resolve();
    return new Promise((resolve) => {
      const cancels: (() => void)[] = [];
      const end = () => {
        for (const cancel of cancels) cancel();
        resolve();
      };
      // A frozen clock would never get there by itself.
      cancels.push(clock.at(clock.now() + milliseconds, end), clock.after(milliseconds, end));
      for (const each of [stopping, signal]) {
        each?.addEventListener('abort', end, { once: true });
        cancels.push(() => each?.removeEventListener('abort', end));
      }
    });
  }

  /** Adds what was injected to the warnings about an email. */
  async note(emailId: string, warnings: readonly ServiceWarning[]): Promise<void> {
    const { store, onInternalError } = this.deps;
    try {
      await store.write(async (tx) => {
        if (!(await tx.emails.findWithoutBodies(emailId))) return;
        for (const warning of warnings) await tx.emails.warn(emailId, warning);
      });
    } catch (error) {
      onInternalError(error);
    }
  }

  async #defers(fault: FaultRecord, point: FaultPoint): Promise<boolean> {
    return fault.greylistMs === null || this.#greylist.defers(fault, point as SmtpPoint);
  }

  async #matchesQuery(text: string, point: FaultPoint): Promise<boolean> {
    if (!('document' in point) || !point.document) return false;
    try {
      const query = await compileQuery(parseQuery(text), { now: this.deps.clock.now() });
      const document = await point.document(query.needs !== 'nothing');
      return document !== undefined && query.matches(document);
    } catch (error) {
      this.deps.onInternalError(error);
      return false;
    }
  }

  /**
   * Counts a match with those of other servers on the database, before its effect is seen. Returns whether the fault is
   * injected. A fault also happens if the disk is full.
   */
  async #count(fault: FaultRecord): Promise<boolean> {
    if (!this.deps.store.shared) return this.#countOwn(fault);
    let isHit = false;
    try {
      await this.deps.store.write(async (tx) => {
        const stored = (await tx.faults.list()).find(({ id }) => id === fault.id);
        isHit = stored !== undefined && !isUsedUp(stored) && countMatch(stored);
        if (!stored) return;
        Object.assign(fault, { seen: stored.seen, hits: stored.hits });
        await tx.faults.count(fault.id, isHit ? 1 : 0);
      });
      return isHit;
    } catch (error) {
      this.deps.onInternalError(error);
      return countMatch(fault);
    }
  }

  async #countOwn(fault: FaultRecord): Promise<boolean> {
    const isHit = countMatch(fault);
    await this.deps.store.write((tx) => tx.faults.count(fault.id, isHit ? 1 : 0)).catch(this.deps.onInternalError);
    return isHit;
  }
}

/** Describes what a fault did to a request or message. */
export function faultNote(fault: FaultRecord): ServiceWarning {
  const { id, smtp, code, error, delayMs, drop, truncate } = fault;
  const what = [
    delayMs === null ? null : `delayed by ${formatDuration(delayMs)}`,
    code === null && error === null ? null : `refused with ${[code, error].filter((part) => part !== null).join(' ')}`,
    drop === null ? null : `connection closed ${drop} processing`,
    truncate ? 'response truncated' : null,
  ].filter((part) => part !== null);
  const where = smtp === null ? '' : ` at ${smtp === 'end' ? 'the end of the message' : smtp.toUpperCase()}`;
  return { code: 'injected_fault', path: '', message: `${what.join(', ')}${where} by ${id} (injected)` };
}

/** Chooses the matches that a fault is injected into. */

/** Counts a match, and returns whether the fault is injected. The same matches in the same order give the same result. */
function countMatch(fault: FaultRecord): boolean {
  fault.seen += 1;
  const { seen, every, probability, seed } = fault;
  if (every !== null && seen % every !== 0) return false;
  if (probability !== null && chance(seed, seen) >= probability) return false;
  fault.hits += 1;
  return true;
}

function isUsedUp({ times, hits }: FaultRecord): boolean {
  return times !== null && hits >= times;
}

/** Returns a number from 0 to less than 1 for each pair of a seed and a place. */
function chance(seed: number, place: number): number {
  return createHash('sha256').update(`${seed}:${place}`).digest().readUIntBE(0, 6) / 2 ** 48;
}

/** Returns a function that posts as `post` does, except where a fault is injected. */
export function faultyPost(post: Post, faults: Faults): Post {
  return async (request) => {
    const fault = faults.any ? await faults.take(request) : undefined;
    if (!fault) return post(request);
    request.onFault?.(fault.id);
    return injected(fault, request, post, faults);
  };
}

function failed(error: string): PostResult {
  return { status: null, headers: {}, body: '', error };
}

async function injected(fault: FaultRecord, request: PostRequest, post: Post, faults: Faults): Promise<PostResult> {
  const { delayMs, code, text, drop } = fault;
  const { timeoutMs, signal } = request;
  // A clock that is moved waits for no receiver.
  if (delayMs !== null && !faults.deps.clock.moving) await faults.wait(Math.min(delayMs, timeoutMs), signal);
  const left = timeoutMs - (delayMs ?? 0);
  if (left <= 0) return failed(`${describeTimeout(timeoutMs)} ${INJECTED}`);
  if (code !== null) return { status: code, headers: {}, body: `${text ?? ''} ${INJECTED}`.trim(), error: null };
  if (drop === 'before') return failed(`connection closed ${INJECTED}`);
  const result = await post({ ...request, timeoutMs: left });
  // The receiver has processed the request, and its response is lost.
  return drop === 'after' ? failed(`connection closed after the receiver's response ${INJECTED}`) : result;
}
