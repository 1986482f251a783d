import type { FaultStage } from '../../contract/vocabulary/faults/forms.js';
import { formatDuration } from '../../contract/vocabulary/parsers/duration.js';
import { parseQuery } from '../../contract/vocabulary/query/parse-query.js';
import type { ServiceWarning } from '../../contract/vocabulary/warnings.js';
import type { Core } from '../context.js';
import type { FaultRecord } from '../model/faults.js';
import { compileQuery } from '../search/compile-query.js';
import type { DocumentDeps } from './documents.js';
import { Greylist } from './greylist.js';
import { appliesTo, type FaultPoint, type SmtpPoint } from './points.js';
import { countMatch, isUsedUp } from './selection.js';

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
