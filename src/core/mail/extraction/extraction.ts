import type { Extracts, UnextractedEmail } from '../../model/search.js';
import { type Clock, isTemporary, ProcessorUnavailableError } from '../../ports.js';
import { STORE_RETRY_MS, type Store, StoreUnavailableError } from '../../store.js';
import { BatchPace, type BatchPaceDeps } from './batch-pace.js';
import { type EmailExtracts, type ExtractDeps, extractEmail, insertExtracts, withoutContent } from './extract-email.js';

/** Maximum number of emails whose extracts are written and indexed together. Small batches take longer to index. */
const BATCH = 128;
/** Number of emails that are processed at once: enough for all workers. */
const AT_ONCE = 4;
/** Milliseconds that other work waits for a batch in this process. */
const SLICE_MS = 2;
/** Milliseconds in which another server processes its own emails. */
const FOREIGN_MS = 5_000;
/** Milliseconds that a read waits for extracts. */
const PATIENCE_MS = 3_000;

export interface ExtractionDeps extends ExtractDeps, BatchPaceDeps {
  store: Store;
  clock: Pick<Clock, 'systemNow' | 'after' | 'sleep'>;
}

/**
 * Finds links, codes and header fields of emails after they were acknowledged. The emails that wait are in a table, so
 * that no job is needed, and a start continues where a killed process stopped.
 */
export class Extraction {
  /** Emails being processed, by ID. */
  readonly #underWay = new Map<string, Promise<EmailExtracts>>();
  /** Numbers of emails that no worker could be started for. */
  readonly #deferred = new Set<number>();
  /** Numbers of emails that cannot be read, which the next start tries again. */
  readonly #unreadable = new Set<number>();
  #refusal: unknown;
  /** The last error, which is reported once. */
  #reported: unknown;
  #running: Promise<void> | undefined;
  /** The run for callers that wait for all emails, and the one after it. */
  #all: Promise<void> | undefined;
  #next: Promise<void> | undefined;
  #isWanted = false;
  #stopped = false;
  #unsubscribe = () => {};
  #cancelRequest: (() => void) | undefined;
  readonly #pace;

  constructor(private readonly deps: ExtractionDeps) {
    this.#pace = new BatchPace(deps);
  }

  /** Processes the emails that wait, and from now on every new one. */
  start(): void {
    this.#unsubscribe = this.deps.store.onCommit(({ emails, replaced, foreign }) => {
      if (emails.length === 0 && !replaced) return;
      if (foreign) return this.#requestLater();
      if (replaced) this.#unreadable.clear();
      this.#pace.noteCommit();
      this.#request();
    });
    this.#request();
  }

  /** Ends the background work after the current batch. The next start continues. */
  async stop(): Promise<void> {
    this.#stopped = true;
    this.#unsubscribe();
    this.#pace.stop();
    this.#cancelRequest?.();
    await this.#running;
  }

  /** Implements `Core.extractsOf`. */
  async extractsOf(id: string): Promise<Extracts | undefined> {
    const { emails } = this.deps.store.read;
    const known = await emails.extraction(id);
    if (known?.extracts) return known.extracts;
    const [email] = (await emails.unextracted({ ids: [id], limit: 1 })).emails;
    if (!email) return (await emails.extraction(id))?.extracts;
    const found = await this.#extract(email);
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
    const extracting = ids ? this.#extractEach(ids) : this.#extractAllOnce(limitMs);
    await Promise.race([patience, extracting.catch((error) => this.#report(error))]);
    cancel();
  }

  async #extractEach(ids: readonly string[]): Promise<void> {
    const done = new Set<string>();
    for (let left = ids; left.length > 0; left = left.filter((id) => !done.has(id))) {
      const { emails } = await this.deps.store.read.emails.unextracted({ ids: left, limit: BATCH });
      // Emails after one that cannot be read are left to the background.
      if (emails.length === 0) return;
      await this.#extractAndWrite(emails);
      for (const { id } of emails) done.add(id);
    }
  }

  /** Extracts once for all callers, and once more for those that call while it runs: their emails may be newer. */
  #extractAllOnce(limitMs: number): Promise<void> {
    if (!this.#all) {
      this.#all = this.#extractAll(limitMs).finally(() => {
        this.#all = undefined;
      });
      return this.#all;
    }
    const start = () => {
      this.#next = undefined;
      return this.#extractAllOnce(limitMs);
    };
    this.#next ??= this.#all.then(start, start);
    return this.#next;
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

  /** Processes the emails of another server that has ended before it did so. */
  #requestLater(): void {
    this.#cancelRequest ??= this.deps.clock.after(FOREIGN_MS, () => {
      this.#cancelRequest = undefined;
      this.#request();
    });
  }

  #request(): void {
    this.#isWanted = true;
    if (this.#running || this.#stopped) return;
    this.#running = this.#run().finally(() => {
      this.#running = undefined;
      if (this.#isWanted) this.#request();
    });
  }

  /** Processes batches with pauses until no email waits. */
  async #run(): Promise<void> {
    const { clock } = this.deps;
    await this.#pace.collect();
    while (!this.#stopped) {
      try {
        await this.#pace.yieldToIngest();
        if (this.#stopped) return;
        this.#isWanted = false;
        const start = clock.systemNow();
        const first = await this.#processBatch();
        if (first === undefined && this.#deferred.size === 0) return;
        if (first === undefined) throw this.#refusal;
        await this.#pace.restAfter(clock.systemNow() - start);
      } catch (error) {
        this.#deferred.clear();
        this.#report(error);
        await this.#pace.pause(STORE_RETRY_MS);
      }
    }
  }

  /** Processes the first emails that wait. Returns the `seq` of the first; undefined if none waits. */
  async #processBatch(): Promise<number | undefined> {
    const { read } = this.deps.store;
    const except = [...this.#deferred, ...this.#unreadable];
    const { seqs, emails } = await read.emails.unextracted({ limit: BATCH, except });
    const readable = new Set(emails.map(({ seq }) => seq));
    for (const seq of seqs) if (!readable.has(seq)) this.#unreadable.add(seq);
    await this.#extractAndWrite(emails);
    return seqs[0];
  }

  async #extractAndWrite(emails: readonly UnextractedEmail[]): Promise<void> {
    const { clock } = this.deps;
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
  }

  /** Leaves an email that cannot be processed now to a later run, so that it does not block others. */
  async #extractOrDefer(email: UnextractedEmail): Promise<EmailExtracts | undefined> {
    try {
      return await this.#extract(email);
    } catch (error) {
      if (!(error instanceof ProcessorUnavailableError)) throw error;
      this.#deferred.add(email.seq);
      this.#refusal = error;
      return undefined;
    }
  }

  #extract(email: UnextractedEmail): Promise<EmailExtracts> {
    const { id } = email;
    const underWay = this.#underWay.get(id);
    if (underWay) return underWay;
    const extracting = extractEmail(email, this.deps).finally(() => this.#underWay.delete(id));
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
