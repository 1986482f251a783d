import type { ApiKeyRecord } from '../model/resources.js';
import type { Reads } from '../reads.js';
import type { Store } from '../store.js';
import type { Transaction } from '../transaction.js';

/** Returns the store for calls with a key. */
export function storeFor({ store }: { store: Store }, key: Pick<ApiKeyRecord, 'workspace'> | null): Store {
  return !key || key.workspace === null ? store : scopedStore(store, key.workspace);
}

/**
 * Limits a store to the emails, events of emails, webhooks, deliveries and API keys of one workspace. Others do not
 * exist for its caller. Templates, domains, suppressions, rules and the clock belong to the whole server.
 */
function scopedStore(store: Store, workspace: string): Store {
  return overriding(store, {
    read: scopedReads(store.read, workspace),
    write: (work) => store.write((tx) => work(scopedTransaction(tx, workspace))),
  });
}

function scopedReads<R extends Reads>(reads: R, workspace: string): R {
  const isOwn = (record: { workspace: string | null } | undefined) => record?.workspace === workspace;
  const own = <T extends { workspace: string | null }>(record: T | undefined) => (isOwn(record) ? record : undefined);
  const owns = async (emailId: string) => isOwn(await reads.emails.findWithoutBodies(emailId));
  const { emails, received, events, webhooks, deliveries, apiKeys, workspaces } = reads;
  return overriding<Reads>(reads, {
    emails: overriding(emails, {
      find: async (id) => own(await emails.find(id)),
      findWithoutBodies: async (id) => own(await emails.findWithoutBodies(id)),
      isPlaceholder: async (id) => (await owns(id)) && (await emails.isPlaceholder(id)),
      list: (filter, page) => emails.list({ ...filter, workspace }, page),
      recipients: async (id) => ((await owns(id)) ? emails.recipients(id) : []),
      recipient: async (id, mailbox) => ((await owns(id)) ? emails.recipient(id, mailbox) : undefined),
      state: async (id) => ((await owns(id)) ? emails.state(id) : undefined),
      attachments: async (id) => ((await owns(id)) ? emails.attachments(id) : []),
      attachment: async (id, position) => ((await owns(id)) ? emails.attachment(id, position) : undefined),
      warnings: async (id) => ((await owns(id)) ? emails.warnings(id) : []),
      extraction: async (id) => ((await owns(id)) ? emails.extraction(id) : undefined),
      countByStatus: () => emails.countByStatus(workspace),
      documents: async (ids) => (await emails.documents(ids)).filter(isOwn),
      search: (matcher, page) => emails.search(matcher, { ...page, workspace }),
    }),
    received: overriding(received, {
      ofEmail: async (id) => ((await owns(id)) ? received.ofEmail(id) : undefined),
      envelopeOf: async (id) => ((await owns(id)) ? received.envelopeOf(id) : undefined),
    }),
    events: overriding(events, {
      find: async (id) => {
        const event = await events.find(id);
        return event?.emailId && (await owns(event.emailId)) ? event : undefined;
      },
      ofEmail: async (id) => ((await owns(id)) ? events.ofEmail(id) : []),
      since: async (instant) => {
        const all = await events.since(instant);
        const isOwned = await Promise.all(all.map(({ emailId }) => emailId !== null && owns(emailId)));
        return all.filter((_, index) => isOwned[index]);
      },
    }),
    webhooks: overriding(webhooks, {
      find: async (id) => own(await webhooks.find(id)),
      list: async () => (await webhooks.list()).filter(isOwn),
    }),
    deliveries: overriding(deliveries, {
      find: async (id) => {
        const found = await deliveries.find(id);
        return isOwn(found?.webhook) ? found : undefined;
      },
      list: (filter, page) => deliveries.list({ ...filter, workspace }, page),
    }),
    apiKeys: overriding(apiKeys, {
      find: async (id) => own(await apiKeys.find(id)),
      list: async () => (await apiKeys.list()).filter(isOwn),
    }),
    workspaces: overriding(workspaces, {
      find: async (name) => (name === workspace ? workspaces.find(name) : undefined),
      list: async () => (await workspaces.list()).filter(({ name }) => name === workspace),
    }),
  }) as R;
}

function scopedTransaction(tx: Transaction, workspace: string): Transaction {
  const scoped = scopedReads(tx, workspace);
  return overriding(scoped, {
    emails: overriding(scoped.emails, {
      insert: (email, ...rest) => tx.emails.insert({ ...email, workspace }, ...rest),
      setRead: async (id, readAt) => (await owned(scoped, id)) && tx.emails.setRead(id, readAt),
      delete: async (id) => (await owned(scoped, id)) && tx.emails.delete(id),
    }),
    webhooks: overriding(scoped.webhooks, {
      insert: (webhook) => tx.webhooks.insert({ ...webhook, workspace }),
    }),
    apiKeys: overriding(scoped.apiKeys, { insert: (key) => tx.apiKeys.insert({ ...key, workspace }) }),
  });
}

async function owned(reads: Pick<Reads, 'emails'>, emailId: string): Promise<boolean> {
  return (await reads.emails.findWithoutBodies(emailId)) !== undefined;
}

/**
 * Returns an object with other methods in place of its own. The others keep the object as `this`, which methods with
 * private fields need.
 */
function overriding<T extends object>(target: T, methods: Partial<T>): T {
  return new Proxy(target, {
    get(object, name) {
      if (Object.hasOwn(methods, name)) return Reflect.get(methods, name);
      const value: unknown = Reflect.get(object, name, object);
      return typeof value === 'function' ? value.bind(object) : value;
    },
  });
}
