import { ServiceError } from '../../contract/vocabulary/errors.js';
import { kindOf } from '../account/key-kinds.js';
import type { Core } from '../context.js';
import type { StoredEvent } from '../model/events.js';
import type { ApiKeyRecord } from '../model/resources.js';
import type { Reads } from '../reads.js';
import type { Store } from '../store.js';
import type { Transaction } from '../transaction.js';

/**
 * Returns the store for calls with a key. On a server for a team, an ordinary key reads everything, and changes only what
 * belongs to no workspace.
 */
export function storeFor(
  { store, access }: Pick<Core, 'store' | 'access'>,
  key: Pick<ApiKeyRecord, 'workspace' | 'admin' | 'createsWorkspaces'> | null,
  isChange: boolean,
): Store {
  if (!key) return store;
  const isLimited = access === 'team' && isChange && kindOf(key) === 'ordinary';
  if (key.workspace === null && !isLimited) return store;
  return scopedStore(store, key.workspace);
}

/**
 * Limits a store to the emails, events of emails, webhooks, deliveries and API keys of one workspace, or of none for
 * null. Others do not exist for the caller. Templates, domains and the clock belong to the whole server.
 */
function scopedStore(store: Store, workspace: string | null): Store {
  return overriding<Store>(store, {
    read: scopedReads(store.read, workspace),
    write: (work) => store.write((tx) => work(scopedTransaction(tx, workspace))),
    beforeCommit: SHARED,
    onCommit: SHARED,
    // Their handlers refuse the keys of workspaces.
    snapshot: SHARED,
    stage: SHARED,
    size: SHARED,
    compact: SHARED,
    close: SHARED,
  });
}

/** Belongs to the whole server, or is used only with what the caller has found in the scope. */
const SHARED = 'shared';

/** A choice for every method, so that a new one cannot be left open by mistake. */
type Choices<T> = { [Name in keyof T]: T[Name] | typeof SHARED };

function scopedReads<R extends Reads>(reads: R, workspace: string | null): R {
  const isOwn = (record: { workspace: string | null } | undefined) => record?.workspace === workspace;
  const own = <T extends { id: string; workspace: string | null }>(record: T | undefined) => {
    if (isOwn(record)) return record;
    // Its caller can read the record, so it is not a secret.
    if (record && workspace === null) throw ofWorkspace(record);
    return undefined;
  };
  const owns = async (emailId: string) => own(await reads.emails.findWithoutBodies(emailId)) !== undefined;
  /** An event of no stored email belongs to no workspace. */
  const ownsEvent = async ({ emailId }: Pick<StoredEvent, 'emailId'>) => {
    const email = emailId === null ? undefined : await reads.emails.findWithoutBodies(emailId);
    return email ? own(email) !== undefined : workspace === null;
  };
  const findDelivery = async (id: string) => {
    const found = await reads.deliveries.find(id);
    if (found && !found.webhook) return workspace === null && (await ownsEvent(found.event)) ? found : undefined;
    return isOwn(found?.webhook) ? found : undefined;
  };
  const { emails, received, releases, events, webhooks, deliveries, apiKeys, suppressions, rules, faults, workspaces } =
    reads;
  const scoped: Choices<Reads> = {
    emails: overriding<Reads['emails']>(emails, {
      find: async (id) => own(await emails.find(id)),
      findWithoutBodies: async (id) => own(await emails.findWithoutBodies(id)),
      isParsing: async (id) => (await owns(id)) && (await emails.isParsing(id)),
      list: (filter, page) => emails.list({ ...filter, workspace }, page),
      recipients: async (id) => ((await owns(id)) ? emails.recipients(id) : []),
      recipient: async (id, mailbox) => ((await owns(id)) ? emails.recipient(id, mailbox) : undefined),
      state: async (id) => ((await owns(id)) ? emails.state(id) : undefined),
      due: SHARED,
      nextDue: SHARED,
      attachments: async (id) => ((await owns(id)) ? emails.attachments(id) : []),
      attachment: async (id, position) => ((await owns(id)) ? emails.attachment(id, position) : undefined),
      warnings: async (id) => ((await owns(id)) ? emails.warnings(id) : []),
      extraction: async (id) => ((await owns(id)) ? emails.extraction(id) : undefined),
      ...(workspace === null
        ? { countByStatus: SHARED, countBySender: SHARED, countByTag: SHARED, countUnread: SHARED }
        : {
            countByStatus: () => emails.countByStatus(workspace),
            countBySender: (limit: number) => emails.countBySender(limit, workspace),
            countByTag: () => emails.countByTag(workspace),
            countUnread: () => emails.countUnread(workspace),
          }),
      documents: async (ids) => (await emails.documents(ids)).filter(isOwn),
      search: (matcher, page) => emails.search(matcher, { ...page, workspace }),
      unindexed: SHARED,
      waitingForIndex: SHARED,
      lastSeq: SHARED,
      seqSince: SHARED,
      unextracted: SHARED,
      unextractedRange: SHARED,
      deletions: SHARED,
      expired: SHARED,
    }),
    received: overriding<Reads['received']>(received, {
      ofEmail: async (id) => ((await owns(id)) ? received.ofEmail(id) : undefined),
      envelopeOf: async (id) => ((await owns(id)) ? received.envelopeOf(id) : undefined),
      // Keys contain the workspace.
      imported: SHARED,
      bytesOf: SHARED,
      headOf: SHARED,
      unparsed: SHARED,
      // Callers name the workspace.
      unparsedRecipients: SHARED,
      unparsedRange: SHARED,
    }),
    events: overriding<Reads['events']>(events, {
      // Readers of the log look at the email of each event.
      after: SHARED,
      find: async (id) => {
        const event = await events.find(id);
        return event && (await ownsEvent(event)) ? event : undefined;
      },
      ofEmail: async (id) => ((await owns(id)) ? events.ofEmail(id) : []),
      lastSeq: SHARED,
      lastBefore: SHARED,
      lastOfEmails: SHARED,
      removedUpTo: SHARED,
      removable: SHARED,
      heldByDelivery: SHARED,
      hasFineCounts: SHARED,
      // Without a workspace, only calls that change something are limited, and none of them reads counts or the log.
      since: workspace === null ? SHARED : (instant) => events.since(instant, workspace),
      count: SHARED,
    }),
    releases: overriding<Reads['releases']>(releases, {
      ofEmail: async (id) => ((await owns(id)) ? releases.ofEmail(id) : []),
    }),
    jobs: SHARED,
    templates: SHARED,
    domains: SHARED,
    webhooks: overriding<Reads['webhooks']>(webhooks, {
      find: async (id) => own(await webhooks.find(id)),
      list: async () => (await webhooks.list()).filter(isOwn),
      hasActive: SHARED,
    }),
    deliveries: overriding<Reads['deliveries']>(deliveries, {
      find: findDelivery,
      attempts: async (id) => ((await findDelivery(id)) ? deliveries.attempts(id) : []),
      pendingOf: async (id) => (isOwn(await webhooks.find(id)) ? deliveries.pendingOf(id) : []),
      countFailingWebhooks: workspace === null ? SHARED : () => deliveries.countFailingWebhooks(workspace),
      list: (filter, page) => deliveries.list({ ...filter, workspace }, page),
    }),
    apiKeys: overriding<Reads['apiKeys']>(apiKeys, {
      find: async (id) => own(await apiKeys.find(id)),
      findByHash: async (hash) => own(await apiKeys.findByHash(hash)),
      list: async () => (await apiKeys.list()).filter(isOwn),
    }),
    settings: SHARED,
    suppressions: overriding<Reads['suppressions']>(suppressions, {
      // Callers name the workspace.
      find: SHARED,
      list: (page) => suppressions.list({ ...page, workspace }),
    }),
    rules: overriding<Reads['rules']>(rules, {
      list: () => rules.list(workspace),
      // Callers name the workspace.
      listActive: SHARED,
    }),
    faults: overriding<Reads['faults']>(faults, { list: () => faults.list(workspace) }),
    // Their addresses decide which one an email belongs to.
    workspaces:
      workspace === null
        ? SHARED
        : overriding<Reads['workspaces']>(workspaces, {
            find: async (name) => (name === workspace ? workspaces.find(name) : undefined),
            ended: SHARED,
            // Callers name the workspace.
            sent: SHARED,
            list: async () => (await workspaces.list()).filter(({ name }) => name === workspace),
          }),
    requests: SHARED,
    // The contract limits it to admin keys.
    audit: SHARED,
    // Their handlers refuse the keys of workspaces.
    smtpSessions: SHARED,
  };
  return overriding<Reads>(reads, scoped) as R;
}

function scopedTransaction(tx: Transaction, workspace: string | null): Transaction {
  const scoped = scopedReads(tx, workspace);
  // Its key was valid when the request began.
  const existing = async () => {
    if (workspace === null || (await tx.workspaces.find(workspace))) return workspace;
    throw new ServiceError('unauthenticated', `Workspace ${workspace} was deleted, and its API key revoked.`);
  };
  const emails: Choices<Omit<Transaction['emails'], keyof Reads['emails']>> = {
    insert: async (email, ...rest) =>
      tx.emails.insert(workspace === null ? email : { ...email, workspace: await existing() }, ...rest),
    insertReceived: SHARED,
    deleteUnparsed: SHARED,
    // Callers have read the email.
    setStatus: SHARED,
    setRecipient: SHARED,
    warn: SHARED,
    shiftDue: SHARED,
    setExtracts: SHARED,
    indexNext: SHARED,
    setRead: async (id, readAt) => (await owned(scoped, id)) && tx.emails.setRead(id, readAt),
    setTags: async (id, tags) => (await owned(scoped, id)) && tx.emails.setTags(id, tags),
    delete: (ids, deletion) => tx.emails.delete(ids, deletion, workspace),
    restore: (deletion) => tx.emails.restore(deletion, workspace),
    keepJob: SHARED,
    purge: SHARED,
  };
  return overridingSome(scoped, {
    emails: overridingSome(scoped.emails, emails),
    webhooks: overridingSome(scoped.webhooks, {
      insert: async (webhook) => tx.webhooks.insert({ ...webhook, workspace: await existing() }),
    }),
    rules: overridingSome(scoped.rules, { delete: (id) => tx.rules.delete(id, workspace) }),
    faults: overridingSome(scoped.faults, {
      delete: (id) => tx.faults.delete(id, workspace),
      clear: () => tx.faults.clear(workspace),
    }),
    apiKeys: overridingSome(scoped.apiKeys, {
      insert: async (key) => tx.apiKeys.insert({ ...key, workspace: await existing() }),
    }),
  });
}

function ofWorkspace({ id, workspace }: { id: string; workspace: string | null }): ServiceError {
  return new ServiceError(
    'forbidden',
    `${id} belongs to workspace ${workspace}, which an ordinary key cannot change.`,
    undefined,
    'Use a key of the workspace, or an admin key.',
  );
}

async function owned(reads: Pick<Reads, 'emails'>, emailId: string): Promise<boolean> {
  return (await reads.emails.findWithoutBodies(emailId)) !== undefined;
}

/** Returns an object with other methods in place of its own, where one is chosen for each. */
function overriding<T extends object>(target: T, methods: Choices<T>): T {
  return overridingSome(target, methods);
}

/**
 * Returns an object with other methods in place of some of its own. The others keep the object as `this`, which methods
 * with private fields need.
 */
export function overridingSome<T extends object>(target: T, methods: Partial<Choices<T>>): T {
  return new Proxy(target, {
    get(object, name) {
      const method: unknown = Object.hasOwn(methods, name) ? Reflect.get(methods, name) : SHARED;
      if (method !== SHARED) return method;
      const value: unknown = Reflect.get(object, name, object);
      return typeof value === 'function' ? value.bind(object) : value;
    },
  });
}
