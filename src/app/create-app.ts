import type { FastifyInstance } from 'fastify';
import { keyPrefixes } from '../contract/service/api-keys.js';
import { API_KEY_FORM } from '../contract/vocabulary/access.js';
import { inboxUrl } from '../contract/vocabulary/inbox.js';
import { plans } from '../contract/vocabulary/limits.js';
import { siteOf } from '../contract/vocabulary/routes.js';
import { hashKey } from '../core/account/authorizations.js';
import type { SimulatedDns } from '../core/account/simulated-dns.js';
import type { Core } from '../core/context.js';
import type { ControlDeps } from '../core/handlers/control/context.js';
import { newDomain } from '../core/handlers/service/domains.js';
import { checkRetention } from '../core/mail/retention.js';
import type { DomainRecord } from '../core/model/resources.js';
import { eventPayloads } from '../core/streams/event-tail.js';
import type { Transaction } from '../core/transaction.js';
import { createInProcessFetch } from '../http/in-process.js';
import { createHttpServer } from '../http/server.js';
import type { App, AppOptions } from './app.js';
import { createBackground } from './background.js';
import { type Addresses, createBase } from './base.js';
import { createControlDeps } from './control.js';
import { Lifecycle } from './lifecycle.js';
import { createOperations } from './operations.js';

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
    signInHeader: options.signIn?.header,
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

/**
 * Returns a function that adds, publishes and verifies the domains that the local server was started with. Records no
 * events, because no API call does this.
 */
async function serverDomainsEnsurer(
  core: Core,
  dns: SimulatedDns | null,
  names: readonly string[],
): Promise<(tx: Transaction) => Promise<void>> {
  // A transaction cannot wait for keys, and a reset needs the domains again.
  const domains: DomainRecord[] = [];
  for (const name of names) domains.push((await core.store.read.domains.find(name)) ?? (await newDomain(name, core)));
  return async (tx) => {
    for (const domain of domains) {
      const flags = { status: 'verified', dkimVerified: true, spfVerified: true, dmarcVerified: true } as const;
      const existing = await tx.domains.find(domain.domain);
      if (existing) await tx.domains.update({ ...existing, ...flags });
      else await tx.domains.insert({ ...domain, ...flags });
      await dns?.publishAll(tx, domain.domain);
    }
  };
}

/**
 * Returns a function that makes the server's own API key valid. Records no event, because no API call creates the key. The
 * function returns the ID of a key that was not an admin key before, unless the server is new.
 */
function serverKeyEnsurer(
  { clock, ids, access }: Core,
  value: string,
): (tx: Transaction) => Promise<string | undefined> {
  if (!API_KEY_FORM.test(value)) throw new TypeError('the API key must start with svc_test_ or svc_live_');
  const hash = hashKey(value);
  return async (tx) => {
    const admin = access === 'team';
    const existing = await tx.apiKeys.findByHash(hash);
    const isUnrestricted = existing?.expiresAt === null && !existing.createsWorkspaces;
    if (existing && isUnrestricted && (existing.admin || !admin)) return undefined;
    if (existing) {
      await tx.apiKeys.delete(existing.id);
      await tx.apiKeys.insert({ ...existing, ...UNRESTRICTED, admin });
      return existing.id;
    }
    const createdAt = clock.now();
    const id = ids.next('key', createdAt);
    // A key that was revoked leaves an event, also if it was the only one.
    const isFirst = (await tx.apiKeys.list()).length === 0 && (await tx.events.lastSeq()) === 0;
    await tx.apiKeys.insert({
      id,
      name: admin ? 'SVC_API_KEY' : 'Local server',
      environment: value.startsWith(keyPrefixes.live) ? 'live' : 'test',
      // The limit of the largest plan. The plan's limit applies if it is lower, and the key may outlive the plan.
      rateLimit: plans.enterprise.requestsPerMinute,
      hash,
      ...UNRESTRICTED,
      owner: null,
      admin,
      createdAt,
    });
    return isFirst || !admin ? undefined : id;
  };
}

const UNRESTRICTED = { workspace: null, createsWorkspaces: false, expiresAt: null };

/** Returns the notice about a key that the start of a server made an admin key. */
function serverKeyNotice(id: string): string {
  return `The key of SVC_API_KEY is an admin key from now on: ${id}. Until this start, it was revoked, unknown or of another kind.`;
}
