import type { FastifyInstance } from 'fastify';
import { inboxUrl } from '../contract/vocabulary/inbox.js';
import { siteOf } from '../contract/vocabulary/routes.js';
import type { ControlDeps } from '../core/control/context.js';
import { checkRetention } from '../core/mail/retention.js';
import { eventPayloads } from '../core/streams/event-tail.js';
import type { Transaction } from '../core/transaction.js';
import { createInProcessFetch } from '../http/in-process.js';
import { createHttpServer } from '../http/server.js';
import type { Addresses } from './addresses.js';
import type { App, AppOptions } from './app.js';
import { createBackground } from './background.js';
import { createBase } from './base.js';
import { createControlDeps } from './control.js';
import { Lifecycle } from './lifecycle.js';
import { createOperations } from './operations.js';
import { serverDomainsEnsurer } from './server-domains.js';
import { serverKeyEnsurer, serverKeyNotice } from './server-key.js';

/**
 * Assembles the service. Adapters are created and connected only in src/app.
 * @throws UnusableDatabaseError if the database cannot be used, and UnusableRetentionError.
 */
export async function createApp(options: AppOptions): Promise<App> {
  await checkRetention(options.retention);
  const base = await createBase(options);
  const { core, store, clock, onInternalError } = base;

  const background = createBackground(base, options);
  await background.clockController.restore();
  await base.faults.load();
  core.warningTally.since = clock.now();

  const ensureKey = serverKeyEnsurer(core, options.apiKey);
  const ensureDomains = await serverDomainsEnsurer(core, base.simulatedDns, options.domains ?? []);
  const ensureServerState = async (tx: Transaction) => {
    const madeValid = await ensureKey(tx);
    await ensureDomains(tx);
    return madeValid;
  };
  const madeValid = await store.write(ensureServerState);
  if (madeValid !== undefined) options.onNotice?.(serverKeyNotice(madeValid));

  const control = await createControlDeps({ base, background, ensureServerState }, options);
  let http: FastifyInstance | undefined;
  const operations = await createOperations(base, control, options, () => http);
  http = await createHttpServer({
    operations,
    core,
    control,
    allowedHosts: new Set(options.allowedHosts?.map((host) => host.toLowerCase())),
    logRequests: options.logRequests ?? true,
    checkResponses: options.checkResponses ?? false,
    webDirectory: options.webDirectory,
    basePath: options.basePath,
    mailpit: options.mailpit,
    maxConnections: options.connections?.http,
    trustedProxies: options.trustedProxies,
    tls: options.httpTls,
    onInternalError,
  });

  const lifecycle = new Lifecycle({ base, background, control, http, operations, options });
  return {
    clock,
    http,
    fetch: createInProcessFetch(http),
    instance: control.start.instance,
    inboxLink: () => inboxLink(control, base.addresses),
    unreviewedRows: store.unreviewedRows,
    listen: (addresses) => lifecycle.listen(addresses),
    onWarning: (listener) => core.warningTally.onDistinct(listener),
    onIndexing: (listener) => background.indexProgress.onReport(listener),
    follow: (signal) => eventPayloads(store, signal),
    replaceCertificate: (files) => lifecycle.replaceCertificate(files),
    drain: async () => void (await background.scheduler.drain()),
    close: (grace) => lifecycle.close(grace),
  };
}

async function inboxLink({ inbox }: ControlDeps, { baseUrl }: Addresses): Promise<string> {
  return inboxUrl(siteOf(baseUrl), '', (await inbox.needsCode()) ? (await inbox.issueCode()).code : undefined);
}
