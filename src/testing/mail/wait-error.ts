import type { NearMiss } from '../../client/operations.js';

/** A wait that ended without the expected emails or deliveries. */
export class WaitError extends Error {
  override readonly name = 'WaitError';

  constructor(
    message: string,
    /** The query of the wait, in svc’s query language. */
    readonly query: string,
    /** Emails that arrived and do not match, the closest first. */
    readonly nearMisses: readonly NearMiss[],
  ) {
    super(message);
  }
}

/** The position of a call, so that an error can show it: an asynchronous stack may have lost it. */
export interface CallSite {
  stack?: string;
}

/** Returns the position of the caller of `called`. Call it before the first `await`. */
export function callSite(called: (...args: never[]) => unknown): CallSite {
  const site: CallSite = {};
  Error.captureStackTrace(site, called);
  return site;
}

/** Runs `work`. An error of it gets the stack of the call site. */
export async function failingAt<T>(site: CallSite, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const frames = site.stack?.replace(/^.*\n/, '');
    if (error instanceof Error && frames) error.stack = `${error.name}: ${error.message}\n${frames}`;
    throw error;
  }
}
