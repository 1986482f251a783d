import type { BurstGate } from '../../jobs/ingest-backpressure.js';
import type { Extracts, UnextractedEmail } from '../../model/search.js';
import { type Clock, isTemporary, ProcessorUnavailableError } from '../../ports.js';
import { STORE_RETRY_MS, type Store, StoreUnavailableError } from '../../store.js';
import { type EmailExtracts, type ExtractDeps, extractEmail, insertExtracts, withoutContent } from './extract-email.js';

/** Maximum number of emails whose extracts are written together, and that are processed at once. */
const BATCH = 32;
const AT_ONCE = 4;
/** Milliseconds from a new email to the batch that contains it, so that one transaction serves several. */
const COLLECT_MS = 20;
/** The pause after a batch, in multiples of the time that the batch took: ingest has the most of the processor. */
const PAUSE_FACTOR = 3;
/** Milliseconds between two checks whether messages still wait to be acknowledged or parsed. */
const YIELD_MS = 50;
/** Milliseconds that incoming messages can defer a batch. */
const DEFERRAL_MAX_MS = 3_000;
/** Milliseconds that other work waits for a batch in this process. */
const SLICE_MS = 2;
/** Milliseconds that a read waits for extracts. */
const PATIENCE_MS = 1_000;

export interface ExtractionDeps extends ExtractDeps {
  store: Store;
  clock: Pick<Clock, 'systemNow' | 'after' | 'sleep'>;
  burstGate: Pick<BurstGate, 'isActive'>;
}

/**
 * Finds links, codes and header fields of emails after they were acknowledged. The emails that wait are in a table, so
 * that no job is needed, and a start continues where a killed process stopped.
 */
export class Extraction {
  /** Emails being processed, by ID. */
  readonly #underWay = new Map<string, Promise<EmailExtracts | undefined>>();
  /** Numbers of emails that no worker could be started for. */
  readonly #deferred = new Set<number>();
  #refusal: unknown;
  /** The last error, which is reported once. */
  #reported: unknown;
  #running: Promise<void> | undefined;
  #isWanted = false;
  #stopped = false;
  #unsubscribe = () => {};
  #cancel = () => {};

  constructor(private readonly deps: ExtractionDeps) {}

  /** Processes the emails that wait, and from now on every new one. */
  start(): void {
    this.#unsubscribe = this.deps.store.onCommit(({ emails }) => {
      if (emails.length > 0) this.#request();
    });
    this.#request();
  }

  /** Ends the background work after the current batch. The next start continues. */
  async stop(): Promise<void> {
    this.#stopped = true;
    this.#unsubscribe();
    this.#cancel();
    await this.#running;
  }

  /** Implements `Core.extractsOf`. */
  async extractsOf(id: string): Promise<Extracts | undefined> {
    const known = await this.deps.store.read.emails.extraction(id);
    if (known?.extracts) return known.extracts;
    const found = await this.#extract(id);
    if (!found) return undefined;
    await this.#write([found]);
    return found.extracts;
  }

  /** Implements `Core.extractPending`. Emails that cannot be processed now are left to the background. */
  async extractPending(ids?: readonly string[], limitMs = PATIENCE_MS): Promise<void> {
    if (ids?.length === 0) return;
    let cancel = () => {};
    const patience = new Promise<void>((resolve) => {
      cancel = this.deps.clock.after(limitMs, resolve);
    });
    const extracting = ids ? this.#extractEach(ids) : this.#extractAll(limitMs);
    await Promise.race([patience, extracting.catch((error) => this.#report(error))]);
    cancel();
  }

  async #extractEach(ids: readonly string[]): Promise<void> {
    for (const id of ids) await this.extractsOf(id);
  }

  async #extractAll(limitMs: number): Promise<void> {
    const { read } = this.deps.store;
    const last = (await read.emails.unextractedRange())?.last;
    const until = this.deps.clock.systemNow() + limitMs;
    while (last !== undefined && this.deps.clock.systemNow() < until) {
      const first = await this.#processBatch();
      if (first === undefined || first > last) return;
    }
  }

  #request(): void {
    this.#isWanted = true;
    if (this.#running || this.#stopped) return;
    this.#running = this.#run(COLLECT_MS).finally(() => {
      this.#running = undefined;
      if (this.#isWanted) this.#request();
    });
  }

  /** Processes batches with pauses until no email waits. */
  async #run(pause: number): Promise<void> {
    const { clock } = this.deps;
    let rest = pause;
    while (!this.#stopped) {
      await this.#pause(rest);
      await this.#yieldToIngest();
      if (this.#stopped) return;
      this.#isWanted = false;
      const start = clock.systemNow();
      try {
        const first = await this.#processBatch();
        if (first === undefined && this.#deferred.size === 0) return;
        if (first === undefined) throw this.#refusal;
        rest = Math.max(COLLECT_MS, (clock.systemNow() - start) * PAUSE_FACTOR);
      } catch (error) {
        this.#deferred.clear();
        this.#report(error);
        rest = STORE_RETRY_MS;
      }
    }
  }

  /** Waits while messages wait to be acknowledged or parsed, but not forever. */
  async #yieldToIngest(): Promise<void> {
    const { store, burstGate } = this.deps;
    for (let waited = 0; waited < DEFERRAL_MAX_MS && !this.#stopped; waited += YIELD_MS) {
      if (!burstGate.isActive && !(await store.read.received.unparsedRange())) return;
      await this.#pause(YIELD_MS);
    }
  }

  #pause(milliseconds: number): Promise<void> {
    return new Promise((resolve) => {
      const cancel = this.deps.clock.after(milliseconds, resolve);
      this.#cancel = () => {
        cancel();
        resolve();
      };
    });
  }

  /** Processes the first emails that wait. Returns the `seq` of the first; undefined if none waits. */
  async #processBatch(): Promise<number | undefined> {
    const { store, clock } = this.deps;
    const emails = await store.read.emails.unextracted({ limit: BATCH, except: [...this.#deferred] });
    const found: EmailExtracts[] = [];
    let sliceEnd = clock.systemNow() + SLICE_MS;
    for (let at = 0; at < emails.length && !this.#stopped; at += AT_ONCE) {
      const some = await Promise.all(emails.slice(at, at + AT_ONCE).map((email) => this.#extractOrDefer(email)));
      found.push(...some.filter((each) => each !== undefined));
      if (clock.systemNow() < sliceEnd) continue;
      await clock.sleep(0);
      sliceEnd = clock.systemNow() + SLICE_MS;
    }
    await this.#write(found);
    return emails[0]?.seq;
  }

  /** Leaves an email that cannot be processed now to a later run, so that it does not block others. */
  async #extractOrDefer({ id, seq }: UnextractedEmail): Promise<EmailExtracts | undefined> {
    try {
      return await this.#extract(id);
    } catch (error) {
      if (!(error instanceof ProcessorUnavailableError)) throw error;
      this.#deferred.add(seq);
      this.#refusal = error;
      return undefined;
    }
  }

  #extract(id: string): Promise<EmailExtracts | undefined> {
    const underWay = this.#underWay.get(id);
    if (underWay) return underWay;
    const extracting = extractEmail(id, this.deps).finally(() => this.#underWay.delete(id));
    this.#underWay.set(id, extracting);
    return extracting;
  }

  /** Writes extracts in one transaction, or one by one if some cannot be written. */
  async #write(found: readonly EmailExtracts[]): Promise<void> {
    const { store, onInternalError } = this.deps;
    if (found.length === 0) return;
    try {
      await store.write((tx) => insertExtracts(tx, found));
    } catch (error) {
      if (error instanceof StoreUnavailableError) throw error;
      if (found.length > 1) {
        for (const each of found) await this.#write([each]);
        return;
      }
      onInternalError(error);
      await store.write((tx) =>
        insertExtracts(
          tx,
          found.map((each) => withoutContent(each, error)),
        ),
      );
    }
  }

  /** Reports an error, unless the server is stopping, or the callers whose writes failed have reported it. */
  #report(error: unknown): void {
    if (error instanceof StoreUnavailableError || (this.#stopped && isTemporary(error))) return;
    if (String(this.#reported) !== String(error)) this.deps.onInternalError(error);
    this.#reported = error;
  }
}
