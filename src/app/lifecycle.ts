import { Server as TlsServer } from 'node:tls';
import type { FastifyInstance } from 'fastify';
import { ServiceError } from '../contract/vocabulary/errors.js';
import { SERVICE_PREFIX } from '../contract/vocabulary/routes.js';
import { authenticate } from '../core/account/authorizations.js';
import { expireListeners } from '../core/delivery/listeners.js';
import type { ControlDeps } from '../core/handlers/control/context.js';
import { StrictChecks, Submission } from '../core/mail/inbound/submission.js';
import { deliverPending } from '../core/mail/states/send-and-deliver.js';
import type { Clock } from '../core/ports.js';
import type { SmtpSessionLog } from '../core/streams/logs.js';
import type { Operations } from '../http/operations/operations.js';
import { OPEN_ACCESS, type TlsFiles } from '../smtp/access.js';
import type { SmtpService } from '../smtp/server.js';
import type { AppOptions, CloseGrace, Listeners, Listening } from './app.js';
import type { Background } from './background.js';
import type { Base } from './base.js';

/** Milliseconds to wait at a stop for clients that have sent part of a request, and for receivers that do not respond. */
const CLOSE_GRACE_MS = 300;

/** How often a server that closes looks for connections that became idle. */
const IDLE_AGAIN_MS = 20;

export interface LifecycleParts {
  base: Base;
  background: Background;
  control: Pick<ControlDeps, 'requestLog' | 'smtpSessions'>;
  http: FastifyInstance;
  operations?: Operations | undefined;
  options: Pick<AppOptions, 'smtpAccess' | 'onNotice' | 'connections' | 'basePath'>;
}

/** Starts and stops the parts of an app in the right order. */
export class Lifecycle {
  #smtp: SmtpService | undefined;
  #closed: Promise<void> | undefined;
  #stopExpiring = () => {};

  constructor(private readonly parts: LifecycleParts) {}

  /** Listens on all ports; resolves with the addresses once they accept connections. */
  async listen(wanted: Listeners): Promise<Listening> {
    const { base, background, control, http, operations, options } = this.parts;
    const { core, addresses } = base;
    // Disables temporary webhooks of a process that was killed.
    this.#stopExpiring = await expireListeners(core);
    background.scheduler.start();
    const baseUrl = (await http.listen(wanted.http)) + (options.basePath ?? '') + SERVICE_PREFIX;
    this.#smtp = await smtpServer(base, control.smtpSessions, { ...options, operations });
    background.searchIndexing.start();
    background.indexProgress.start();
    const smtp = await this.#smtp.listen(wanted.smtp.host, wanted.smtp.port);
    addresses.bind(baseUrl, smtp, wanted.http.host);
    const more = await listenAlso(this.#smtp, wanted);
    base.processing.warm();
    return { baseUrl, smtp, ...more };
  }

  /** Uses another certificate for new connections. */
  replaceCertificate(files: TlsFiles): void {
    const { server } = this.parts.http;
    if (server instanceof TlsServer) server.setSecureContext({ ...files });
    this.#smtp?.replaceCertificate(files);
  }

  /** Stops accepting requests, waits for those that are running, and closes the store. */
  close(grace: CloseGrace = {}): Promise<void> {
    this.#closed ??= this.#close(grace);
    return this.#closed;
  }

  async #close({ acceptMs = 0, finishMs = CLOSE_GRACE_MS }: CloseGrace): Promise<void> {
    const { base, background, control, http, operations } = this.parts;
    base.draining.abort();
    if (acceptMs > 0) await base.clock.sleep(acceptMs);
    const { core, store, clock, processing, inbound, extraction, stopping, onInternalError } = base;
    const { scheduler, searchIndexing, indexProgress, closePost } = background;
    stopping.abort(new DOMException('the server was stopped', 'AbortError'));
    inbound.stop();
    this.#stopExpiring();
    const extractionEnded = extraction.stop();
    // Ends the workers first, because a task may take seconds. Jobs that need a worker then run at the next start.
    const workersEnded = processing.close();
    const cancel = clock.after(finishMs, () => {
      http.server.closeAllConnections();
      void closePost();
    });
    await Promise.all([closeHttp(http, base.clock), this.#smtp?.close(finishMs)]);
    await Promise.all([control.requestLog.flush(), control.smtpSessions.flush()]);
    await scheduler.stop();
    await extractionEnded;
    await searchIndexing.stop();
    await indexProgress.stop();
    // In memory, no one could see these first steps later; on disk, the next start would take them late. On a database of
    // several servers, the others take them.
    if (!store.shared) await deliverPending(core).catch((error: unknown) => onInternalError(error));
    cancel();
    await workersEnded;
    await closePost();
    operations?.metrics.close();
    await store.close();
  }
}

/** Closes the listener, and each connection as soon as it has no request. */
async function closeHttp(http: FastifyInstance, clock: Clock): Promise<void> {
  await stopListening(http);
  let closed = false;
  const closing = http
    .close()
    .catch(ignoreStopped)
    .finally(() => {
      closed = true;
    });
  while (!closed) {
    http.server.closeIdleConnections();
    await Promise.race([closing, clock.sleep(IDLE_AGAIN_MS)]);
  }
}

/**
 * Closes the listener right after the event loop has accepted all connections. The system resets those that it has not
 * accepted, although their clients may have sent a request already.
 */
function stopListening({ server }: FastifyInstance): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(() => {
      if (server.listening) server.close();
      resolve();
    });
  });
}

/** Ignores that the listener is closed already. */
function ignoreStopped(error: unknown): void {
  if ((error as NodeJS.ErrnoException).code !== 'ERR_SERVER_NOT_RUNNING') throw error;
}

/** Listens with TLS and LMTP where that is wanted. Returns the addresses with a port. */
async function listenAlso(
  server: SmtpService,
  { smtps, lmtp, lmtpSocket }: Listeners,
): Promise<Pick<Listening, 'smtps' | 'lmtp'>> {
  if (lmtpSocket !== undefined) await server.listenAlso('lmtp', { path: lmtpSocket });
  return {
    ...(smtps && { smtps: await server.listenAlso('smtps', smtps) }),
    ...(lmtp && { lmtp: await server.listenAlso('lmtp', lmtp) }),
  };
}

/** Counts a message over SMTP once it is stored or refused, without the time of what is passed to `apart`. */
function measure<T>(
  accept: (apart: <W>(wait: Promise<W>) => Promise<W>) => Promise<T>,
  clock: Pick<Clock, 'systemNow'>,
  operations: Operations | undefined,
): Promise<T> {
  if (!operations) return accept((wait) => wait);
  let start = clock.systemNow();
  const accepted = accept(async (wait) => {
    const before = clock.systemNow();
    try {
      return await wait;
    } finally {
      start += clock.systemNow() - before;
    }
  });
  const count = (outcome: 'accepted' | 'refused' | 'failed') =>
    operations.metrics.message('smtp', outcome, (clock.systemNow() - start) / 1_000);
  accepted.then(
    () => count('accepted'),
    (error: unknown) => count(error instanceof ServiceError && error.status < 500 ? 'refused' : 'failed'),
  );
  return accepted;
}

/** Loads and creates the SMTP server. Called only when the app listens, because other processes do not need it. */
async function smtpServer(
  { core, clock, inbound, burstGate, processing, faults, loginAttempts, onInternalError }: Base,
  sessions: SmtpSessionLog,
  { smtpAccess, onNotice, connections, operations }: LifecycleParts['options'] & Pick<LifecycleParts, 'operations'>,
): Promise<SmtpService> {
  const { createSmtpServer } = await import('../smtp/server.js');
  const submission = new Submission(core, inbound);
  return createSmtpServer({
    accept: (message, login, whenRead) =>
      measure(
        (unmeasured) =>
          burstGate.track((apart) =>
            // A fault may delay the reply for hours.
            submission.accept(message, login, (parsed) => unmeasured(apart(whenRead(parsed)))),
          ),
        clock,
        operations,
      ),
    findKey: (value) =>
      authenticate(`Bearer ${value}`, core).then(
        (key) => (key.createsWorkspaces ? undefined : key),
        (error: unknown) => {
          if (error instanceof ServiceError) return undefined;
          throw error;
        },
      ),
    attempts: loginAttempts,
    isWorkspace: async (name) => (await core.store.read.workspaces.find(name)) !== undefined,
    onConnection: () => processing.warm(),
    faults,
    after: (milliseconds, callback) => clock.after(milliseconds, callback),
    ...(core.strict && { strict: new StrictChecks(core) }),
    sessions,
    ...(core.access === 'team'
      ? { access: { ...(smtpAccess ?? OPEN_ACCESS), login: 'required' as const, checked: true } }
      : smtpAccess && { access: smtpAccess }),
    ...(onNotice && { onNotice }),
    ...(connections && { maxConnections: connections.smtp }),
    onInternalError,
  });
}
