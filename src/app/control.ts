import type { ServerInfo } from '../contract/control/server.js';
import { formatDuration } from '../contract/vocabulary/parsers/duration.js';
import type { Retention } from '../contract/vocabulary/retention.js';
import type { ControlDeps } from '../core/control/context.js';
import { deliverPending } from '../core/mail/delivery-delay.js';
import { StrictChecks } from '../core/mail/inbound/strict-checks.js';
import { Waits } from '../core/search/waits.js';
import { RequestLog } from '../core/streams/request-log.js';
import type { Transaction } from '../core/transaction.js';
import { version } from '../version.js';
import type { AppOptions } from './app.js';
import type { Background } from './background.js';
import type { Base } from './base.js';
import { archive, compose, readEnvelope } from './lazy-adapters.js';
import { recordStart } from './server-start.js';

/** How the report names messages that are captured over HTTP. */
const CAPTURE_ROUTE = 'POST /_svc/emails';

export interface ControlParts {
  base: Base;
  background: Background;
  ensureServerState(tx: Transaction): Promise<void>;
}

/** Collects the dependencies of the control API besides the core. */
export async function createControlDeps(parts: ControlParts, options: AppOptions): Promise<ControlDeps> {
  const { base, background, ensureServerState } = parts;
  const { core, store, clock, simulatedDns, addresses, stopping, onInternalError } = base;
  const { clockController, dispatcher, scheduler, feed, retrySchedule } = background;
  return {
    controlEnabled: options.control ?? true,
    start: await recordStart(store, clock),
    describe: () => ({
      version,
      pid: process.pid,
      base_url: addresses.baseUrl,
      smtp: addresses.smtp,
      data_dir: options.dataDir,
      plan: core.plan,
      retention: retentionInfo(options.retention),
      webhook_secret: options.webhookSecret,
    }),
    compose,
    readEnvelope,
    accept: (message, workspace) => base.burstGate.track(base.inbound.accept(message, workspace)),
    strictChecks: core.strict ? new StrictChecks({ ...core, parser: base.processing.parser }, CAPTURE_ROUTE) : null,
    archive,
    ensureServerState,
    simulatedDns,
    clockController,
    requestLog: new RequestLog({ store, clock, onInternalError }),
    waits: new Waits(core),
    feed,
    retrySchedule,
    catchUp: () => dispatcher.catchUp(),
    runDue: (patientUntil) => scheduler.drain(patientUntil),
    deliverPending: () => deliverPending(core),
    stopping: stopping.signal,
  };
}

function retentionInfo({ keep, maxAgeMs }: Retention = { keep: null, maxAgeMs: null }): ServerInfo['retention'] {
  return { keep, max_age: maxAgeMs === null ? null : formatDuration(maxAgeMs) };
}
