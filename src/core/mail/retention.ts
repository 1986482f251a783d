import type { Retention } from '../../contract/vocabulary/retention.js';
import type { Core } from '../context.js';
import { LaterSweep, type LaterSweepDeps } from '../jobs/later-sweep.js';
import type { CompiledQuery } from '../search/compile-query.js';
import type { Committed } from '../store.js';
import { changeInBatches } from './deletion.js';

/** Deletes emails that the server no longer keeps. Ages are on the machine's clock. */

/** Number of emails that one search returns. They are deleted in several commits. */
const FOUND_AT_ONCE = 256;
/** Milliseconds from a commit to the search for emails beyond the limits. Commits in between share one search. */
const PAUSE_MS = 250;
/**
 * Maximum milliseconds between two searches for emails that are too old, or that no longer match the query of kept
 * emails.
 */
const SEARCH_AGAIN_MS = 60_000;

/** The server cannot keep the emails of a query. */
class UnusableRetentionError extends Error {
  override readonly name = 'UnusableRetentionError';
}

/**
 * Checks the query of emails to keep.
 * @throws UnusableRetentionError for a query without effect or with a condition on times, and QueryError.
 */
export async function checkRetention(retention: Retention | undefined): Promise<void> {
  if (retention === undefined || retention.keepIf === null) return;
  const { keepIfProblem } = await import('../../contract/vocabulary/retention.js');
  const problem = keepIfProblem(retention);
  if (problem) throw new UnusableRetentionError(`${problem.message} ${problem.hint}`);
  await compiled(retention.keepIf, 0);
}

export interface RetentionDeps extends LaterSweepDeps, Pick<Core, 'extractPending'> {
  /** The limits of the server, which apply to each workspace without its own, and to emails of none; undefined for none. */
  retention: Retention | undefined;
}

/**
 * Deletes the oldest emails in small batches. Emails that are not sent yet, or wait for their delivery or for parsing,
 * are kept until then.
 */
export class RetentionSweep extends LaterSweep<RetentionDeps> {
  /** The query of emails to keep, once it is compiled. */
  #kept: Promise<CompiledQuery> | undefined;
  /** The last email that was tested with that query. Later commits test only the emails after it. */
  #testedUpTo = 0;
  /** System time from which all emails are tested again; infinite until they all have been. */
  #testAllAt = 0;
  /** Whether anything is limited, and the shortest age, in milliseconds, as of the last search. */
  #isLimited = true;
  #shortestAge = Number.POSITIVE_INFINITY;

  protected override onIdle(): void {
    if (this.#isLimited) this.lookWithin(Math.min(this.#shortestAge, SEARCH_AGAIN_MS));
  }

  protected onCommit({ events, jobs, emails, appended, replaced, settings }: Committed): void {
    const isSearched = this.#isLimited && (events || jobs || emails.length > 0);
    // A new workspace, which has a key, may have limits. Those of others may change.
    const hasLimits = replaced || settings || appended.some(({ type }) => type === 'api_key.created');
    if (isSearched || hasLimits) this.lookWithin(PAUSE_MS);
  }

  /** Deletes a batch. Returns whether more may be left. */
  protected async doSome(): Promise<boolean> {
    const { store, clock, retention } = this.deps;
    const { keep = null, maxAgeMs = null, keepIf = null } = retention ?? {};
    const own = (await store.read.workspaces.list()).filter((each) => each.keep !== null || each.maxAgeMs !== null);
    const ages = [maxAgeMs, ...own.map((each) => each.maxAgeMs)].filter((age) => age !== null);
    this.#isLimited = keep !== null || maxAgeMs !== null || own.length > 0;
    this.#shortestAge = Math.min(...ages);
    if (!this.#isLimited) return false;
    const limits = (kept: number | null, age: number | null) => ({
      keep: kept,
      capturedBefore: age === null ? null : clock.systemNow() - age,
    });
    if (keepIf !== null && clock.systemNow() >= this.#testAllAt) {
      this.#testedUpTo = 0;
      this.#testAllAt = Number.POSITIVE_INFINITY;
    }
    // A search does not write: even an empty write would flush the disk.
    const ids = await store.read.emails.expired({
      ...limits(keep, maxAgeMs),
      own: new Map(own.map((each) => [each.name, limits(each.keep ?? keep, each.maxAgeMs ?? maxAgeMs)])),
      ...(keepIf !== null && { after: this.#testedUpTo }),
      limit: FOUND_AT_ONCE,
    });
    const expired = keepIf === null ? ids : await this.#withoutKept(keepIf, ids);
    await changeInBatches({ store, signal: undefined, verb: 'deleted' }, [expired], async (tx, some) => {
      await tx.events.raiseRemoved(await tx.events.lastOfEmails(some));
      return tx.emails.delete(some);
    });
    const isLast = ids.length < FOUND_AT_ONCE;
    // The next search is after SEARCH_AGAIN_MS, or a little earlier.
    if (isLast) this.#testAllAt = Math.min(this.#testAllAt, clock.systemNow() + SEARCH_AGAIN_MS - PAUSE_MS);
    return !isLast;
  }

  /** Returns the emails that do not match the query. What depends on content that cannot be searched now is kept. */
  async #withoutKept(query: string, ids: readonly string[]): Promise<string[]> {
    const { store, clock, extractPending } = this.deps;
    this.#kept ??= compiled(query, clock.now());
    const kept = await this.#kept;
    await extractPending(kept.needs, ids);
    const documents = await store.read.emails.documents(ids);
    this.#testedUpTo = Math.max(this.#testedUpTo, ...documents.map(({ seq }) => seq));
    return documents.filter((document) => kept.decide(document) === false).map(({ id }) => id);
  }
}

/** Loads the query language, which a server without such a query does not need for this. */
async function compiled(query: string, now: number): Promise<CompiledQuery> {
  const { parseQuery } = await import('../../contract/vocabulary/query/parse-query.js');
  const { compileQuery } = await import('../search/compile-query.js');
  return compileQuery(parseQuery(query), { now });
}
