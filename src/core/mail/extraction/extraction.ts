import type { Extent, Extracts, KnownExtracts, UnextractedEmail } from '../../model/search.js';
import { type Clock, isTemporary, ProcessorUnavailableError } from '../../ports.js';
import { type Store, StoreUnavailableError } from '../../store.js';
import { type EmailExtracts, type ExtractDeps, extractEmail, insertExtracts, withoutContent } from './extract-email.js';

/** Maximum number of emails whose extracts are written together. */
const BATCH = 128;
/** Number of emails that are processed at once: enough for all workers. */
const AT_ONCE = 4;
/** Milliseconds that other work waits for a batch in this process. */
const SLICE_MS = 2;
/** Milliseconds that a read waits for extracts. */
const PATIENCE_MS = 3_000;

export interface ExtractionDeps extends ExtractDeps {
  store: Store;
  clock: Pick<Clock, 'systemNow' | 'after' | 'sleep'>;
}

/** Finds links and codes of emails when they are first needed, and keeps them. Decision 161. */
export class Extraction {
  /** Emails being processed, by ID. */
  readonly #underWay = new Map<string, Promise<EmailExtracts>>();
  /** The runs for callers that need all emails, and those after them. */
  readonly #all = new Map<Extent, Promise<void>>();
  readonly #next = new Map<Extent, Promise<void>>();
  readonly #running = new Set<Promise<void>>();
  /** The last error, which is reported once. */
  #reported: unknown;
  #stopped = false;

  constructor(private readonly deps: ExtractionDeps) {}

  /** Ends after the current batches. */
  async stop(): Promise<void> {
    this.#stopped = true;
    await Promise.all(this.#running);
  }

  /** Implements `Core.extractsOf`. */
  async extractsOf(id: string): Promise<Extracts | undefined> {
    const { emails } = this.deps.store.read;
    const known = async () => complete((await emails.extraction(id))?.extracts);
    const found = await known();
    if (found) return found;
    const [email] = (await emails.unextracted({ extent: 'all', ids: [id], limit: 1 })).emails;
    if (!email) return known();
    const extracted = await this.#extract(email);
    // A full disk does not keep the caller from what was found.
    await this.#write([extracted]).catch((error) => this.#report(error));
    return extracted.extracts;
  }

  /** Implements `Core.extractPending`. */
  async extractPending(extent: Extent, ids?: readonly string[], limitMs = PATIENCE_MS): Promise<void> {
    if (extent === 'nothing' || ids?.length === 0) return;
    let cancel = () => {};
    const patience = new Promise<void>((resolve) => {
      cancel = this.deps.clock.after(limitMs, resolve);
    });
    const extracting = (ids ? this.#extractEach(extent, ids) : this.#extractAllOnce(extent, limitMs)).catch((error) =>
      this.#report(error),
    );
    this.#running.add(extracting);
    void extracting.finally(() => this.#running.delete(extracting));
    await Promise.race([patience, extracting]);
    cancel();
  }

  async #extractEach(extent: Extent, ids: readonly string[]): Promise<void> {
    const done = new Set<string>();
    for (let left = ids; left.length > 0 && !this.#stopped; left = left.filter((id) => !done.has(id))) {
      const { emails } = await this.deps.store.read.emails.unextracted({ extent, ids: left, limit: BATCH });
      // Emails after one that cannot be read remain as they are.
      if (emails.length === 0) return;
      await this.#extractAndWrite(emails);
      for (const { id } of emails) done.add(id);
    }
  }

  /** Extracts once for all callers, and once more for those that call while it runs: their emails may be newer. */
  #extractAllOnce(extent: Extent, limitMs: number): Promise<void> {
    const current = this.#all.get(extent);
    if (!current) {
      const run = this.#extractAll(extent, limitMs).finally(() => this.#all.delete(extent));
      this.#all.set(extent, run);
      return run;
    }
    const start = () => {
      this.#next.delete(extent);
      return this.#extractAllOnce(extent, limitMs);
    };
    const next = this.#next.get(extent) ?? current.then(start, start);
    this.#next.set(extent, next);
    return next;
  }

  /** Begins with the newest emails, which a search or a wait most likely looks for. */
  async #extractAll(extent: Extent, limitMs: number): Promise<void> {
    const { store, clock } = this.deps;
    const range = await store.read.emails.unextractedRange(extent);
    const until = clock.systemNow() + limitMs;
    let before = (range?.last ?? 0) + 1;
    while (range !== undefined && before > range.first && !this.#stopped && clock.systemNow() < until) {
      const { seqs, emails } = await store.read.emails.unextracted({ extent, before, limit: BATCH });
      if (seqs.length === 0) return;
      await this.#extractAndWrite(emails);
      before = seqs.at(-1) ?? range.first;
    }
  }

  async #extractAndWrite(emails: readonly UnextractedEmail[]): Promise<void> {
    const { clock } = this.deps;
    const found: EmailExtracts[] = [];
    let sliceEnd = clock.systemNow() + SLICE_MS;
    for (let at = 0; at < emails.length && !this.#stopped; at += AT_ONCE) {
      const some = await Promise.all(emails.slice(at, at + AT_ONCE).map((email) => this.#extractOrLeave(email)));
      found.push(...some.filter((each) => each !== undefined));
      if (clock.systemNow() < sliceEnd) continue;
      await clock.sleep(0);
      sliceEnd = clock.systemNow() + SLICE_MS;
    }
    await this.#write(found);
  }

  /** Leaves an email that cannot be processed now to the next caller, so that it does not block others. */
  async #extractOrLeave(email: UnextractedEmail): Promise<EmailExtracts | undefined> {
    try {
      return await this.#extract(email);
    } catch (error) {
      if (!(error instanceof ProcessorUnavailableError)) throw error;
      this.#report(error);
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

function complete(known: KnownExtracts | undefined): Extracts | undefined {
  const { links, codes } = known ?? {};
  return known && links && codes ? { ...known, links, codes } : undefined;
}
