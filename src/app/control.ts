import { randomUUID } from 'node:crypto';
import type { ServerInfo } from '../contract/control/server.js';
import { formatDuration } from '../contract/vocabulary/durations.js';
import { IMPORT_BYTES_MAX, IMPORT_BYTES_MAX_IN_MEMORY } from '../contract/vocabulary/limits.js';
import type { Retention } from '../contract/vocabulary/retention.js';
import { SERVICE_PREFIX } from '../contract/vocabulary/routes.js';
import type { ServerStart } from '../core/delivery/ephemeral-subscriptions.js';
import type { ControlDeps } from '../core/handlers/control/context.js';
import { Previews } from '../core/inbox/content-urls.js';
import { InboxAccess } from '../core/inbox/inbox-access.js';
import { Memory, TICKET_CHARACTERS } from '../core/inbox/tickets.js';
import { deliverPending } from '../core/mail/states/send-and-deliver.js';
import type { Clock } from '../core/ports.js';
import { Waits } from '../core/search/waits/waits.js';
import type { Kept, Store } from '../core/store.js';
import { createRequestLog, SmtpSessionLog } from '../core/streams/logs.js';
import type { Transaction } from '../core/transaction.js';
import { listsOwners } from '../http/inbox/socket-owner.js';
import { version } from '../version.js';
import type { AppOptions } from './app.js';
import type { Background } from './background.js';
import type { Base } from './base.js';
import { archive, compose, createLazyLinkRequest, deliveredCopy } from './lazy-adapters.js';

export interface ControlParts {
  base: Base;
  background: Background;
  ensureServerState(tx: Transaction): Promise<unknown>;
}

/** Collects the dependencies of the control API besides the core. */
export async function createControlDeps(parts: ControlParts, options: AppOptions): Promise<ControlDeps> {
  const { base, background, ensureServerState } = parts;
  const { core, store, clock, simulatedDns, addresses, stopping, onInternalError } = base;
  const { clockController, dispatcher, scheduler, feed, retrySchedule } = background;
  const kept = store.shared?.kept ?? new Memory(clock);
  return {
    controlEnabled: options.control ?? true,
    commandFlags: options.commandFlags ?? '',
    start: await recordStart(store, clock, kept),
    describe: () => ({
      version,
      pid: process.pid,
      base_url: publicBaseUrl(options) ?? addresses.baseUrl,
      smtp: options.access === 'team' ? addresses.smtpOfTeam : addresses.smtp,
      data_dir: options.dataDir,
      plan: core.plan,
      retention: retentionInfo(options.retention),
      webhook_secret: options.webhookSecret,
    }),
    compose,
    deliveredCopy,
    checkContent: base.processing.checkContent,
    requestLink: createLazyLinkRequest(`svc/${version}`, core.outboundHosts),
    readEnvelope: base.processing.readEnvelope,
    verifyDkim: base.processing.verifyDkim,
    accept: (message, workspace) => base.burstGate.track(() => base.inbound.accept(message, workspace)),
    importMessage: (message, workspace, key) =>
      base.burstGate.track(() => base.inbound.import(message, workspace, key)),
    releases: background.releases,
    archive,
    importBytesMax: options.storage === 'memory' ? IMPORT_BYTES_MAX_IN_MEMORY : IMPORT_BYTES_MAX,
    rewriteForFrame: base.processing.rewriteForFrame,
    showAsClient: base.processing.showAsClient,
    inbox: new InboxAccess(core, {
      kept,
      urlKey: await kept.first('url key', core.ids.secret(TICKET_CHARACTERS), Number.MAX_SAFE_INTEGER),
      basePath: options.basePath ?? '',
      apiKey: options.apiKey,
      attempts: base.loginAttempts,
      password: options.inboxPassword,
      admins: options.signIn?.admins ?? [],
      isLocal: () => addresses.isLocal && core.access === 'local',
      needsCode: async () => core.access === 'team' || !addresses.isLocal || !(await listsOwners()),
    }),
    // Large previews must not replace sessions.
    previews: new Previews({ ...core, kept: store.shared?.kept ?? new Memory(clock) }),
    ensureServerState,
    simulatedDns,
    clockController,
    faults: base.faults,
    requestLog: createRequestLog({ store, clock, onInternalError }),
    smtpSessions: new SmtpSessionLog({ store, clock, ids: core.ids, onInternalError, onEnd: options.onSmtpSession }),
    waits: new Waits(core),
    feed,
    retrySchedule,
    catchUp: () => dispatcher.catchUp(),
    runDue: (patientUntil) => scheduler.drain(patientUntil),
    runDueAttempts: () => scheduler.drainPoolOf('webhook.attempt'),
    deliverPending: () => deliverPending(core),
    stopping: stopping.signal,
  };
}

/** Returns the address that clients of a server for a team use; undefined if it is the server's own. */
function publicBaseUrl({ access, externalUrl }: AppOptions): string | undefined {
  return access === 'team' && externalUrl !== undefined ? externalUrl + SERVICE_PREFIX : undefined;
}

function retentionInfo(retention: Retention = { keep: null, maxAgeMs: null, keepIf: null }): ServerInfo['retention'] {
  const { keep, maxAgeMs, keepIf } = retention;
  return { keep, max_age: maxAgeMs === null ? null : formatDuration(maxAgeMs), keep_if: keepIf };
}

/**
 * Creates an ID for this start of the server, which is the same for all servers on a database, and records its time and
 * the last event before it. That event changes if the log is replaced.
 */
async function recordStart(store: Store, clock: Pick<Clock, 'systemNow'>, kept: Kept): Promise<ServerStart> {
  const startedAt = clock.systemNow();
  let lastEvent = await store.read.events.lastSeq();
  store.onCommit(({ replaced }) => {
    if (replaced) lastEvent = replaced.lastEvent;
  });
  const instance = await kept.first('instance', randomUUID(), Number.MAX_SAFE_INTEGER);
  return { instance, startedAt, lastEvent: () => lastEvent };
}
