import { OWN_READS_KEPT, REQUESTS_KEPT, SMTP_SESSIONS_KEPT } from '../../contract/vocabulary/limits.js';
import type {
  EndedSmtpSession,
  NewRequest,
  NewSmtpSession,
  RequestFilter,
  RequestRecord,
  SmtpSessionFilter,
  SmtpSessionRecord,
} from '../model/logs.js';
import type { Ids } from '../ports.js';
import { BufferedLog, type LogDeps } from './buffered-log.js';
import type { WaitOptions } from './server-sent-events.js';

/** A session as it is recorded. It is described only when it is read or written: most of a burst are dropped before. */
export interface RecordedSession {
  readonly id: string;
  readonly failed: boolean;
  describe(): NewSmtpSession;
}

/** The identity of a session that begins. */
export type SessionStart = Pick<NewSmtpSession, 'id' | 'createdAt' | 'capturedAt'>;

/** The log of SMTP sessions: those that are open, and the newest that have ended. */
export class SmtpSessionLog {
  readonly #open = new Map<string, RecordedSession>();
  readonly #ended: BufferedLog<RecordedSession, SmtpSessionFilter, EndedSmtpSession>;

  /** `onEnd` is called with each session that has ended. */
  constructor(private readonly deps: LogDeps & { ids: Ids; onEnd?: ((session: RecordedSession) => void) | undefined }) {
    this.#ended = new BufferedLog(deps, {
      // Longer than for requests: in a burst, most sessions are dropped unwritten.
      writeAfterMs: 1_000,
      writeAfterFollowedMs: 100,
      trimAfter: 200,
      waitingMax: SMTP_SESSIONS_KEPT,
      isMinor: ({ failed }) => !failed,
      append: (tx, sessions) => tx.smtpSessions.append(sessions.map((session) => session.describe())),
      trim: (tx) => tx.smtpSessions.trim(),
      rowsOf: (reads) => reads.smtpSessions,
      lastOf: ({ lastSmtpSession }) => lastSmtpSession,
    });
  }

  /** Returns the identity of a session that begins now. */
  start(): SessionStart {
    const { clock, ids } = this.deps;
    const createdAt = clock.now();
    return { id: ids.next('smtp', createdAt), createdAt, capturedAt: clock.systemNow() };
  }

  /** Returns milliseconds on the machine's clock. */
  now(): number {
    return this.deps.clock.systemNow();
  }

  /** Lists a session as open until it ends. */
  open(session: RecordedSession): void {
    this.#open.set(session.id, session);
  }

  get openCount(): number {
    return this.#open.size;
  }

  end(session: RecordedSession): void {
    this.#open.delete(session.id);
    this.deps.onEnd?.(session);
    this.#ended.append(session);
  }

  flush(): Promise<void> {
    return this.#ended.flush();
  }

  /** Runs a change that empties the log, as `BufferedLog` does. */
  whileEmptied(change: () => Promise<void>): Promise<void> {
    return this.#ended.whileEmptied(change);
  }

  /** Returns the newest sessions: first those that are open, then by their end. */
  async newest(filter: SmtpSessionFilter, limit: number): Promise<SmtpSessionRecord[]> {
    await this.flush();
    const open = [...this.#open.values()].filter(({ failed }) => failed || !filter.failed).reverse();
    const ended = await this.deps.store.read.smtpSessions.newest(filter, limit);
    return [...open.slice(0, limit).map((session) => ({ ...session.describe(), seq: null })), ...ended].slice(0, limit);
  }

  async find(id: string): Promise<SmtpSessionRecord | undefined> {
    const open = this.#open.get(id);
    if (open) return { ...open.describe(), seq: null };
    await this.flush();
    return this.deps.store.read.smtpSessions.find(id);
  }

  /** Yields sessions as they end, as `BufferedLog` does. */
  follow(filter: SmtpSessionFilter, wait: WaitOptions, after?: number): AsyncGenerator<EndedSmtpSession | undefined> {
    return this.#ended.follow(filter, wait, after);
  }
}

const WRITE_AFTER_MS = 100;

export type RequestLog = BufferedLog<NewRequest, RequestFilter, RequestRecord>;

/** Creates the log of requests to the service. */
export function createRequestLog(deps: LogDeps): RequestLog {
  return new BufferedLog(deps, {
    writeAfterMs: WRITE_AFTER_MS,
    writeAfterFollowedMs: WRITE_AFTER_MS,
    trimAfter: 1_000,
    waitingMax: REQUESTS_KEPT,
    append: (tx, requests) => tx.requests.append(requests),
    trim: (tx) => tx.requests.trim(REQUESTS_KEPT, OWN_READS_KEPT),
    rowsOf: (reads) => reads.requests,
    lastOf: ({ lastRequest }) => lastRequest,
  });
}
