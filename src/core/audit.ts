import type { Endpoint } from '../contract/endpoint.js';
import { type ActorKind, SIGN_IN } from '../contract/vocabulary/access.js';
import { DAY_MS } from '../contract/vocabulary/limits.js';
import { maskSecrets } from '../contract/vocabulary/secrets.js';
import { shortened } from '../contract/vocabulary/text.js';
import type { Right } from './account/authorizations.js';
import type { CallContext, Core } from './context.js';
import type { Actor, NewAuditEntry } from './model/logs.js';
import type { Store } from './store.js';
import { overridingSome } from './workspaces/scoped-store.js';

/** Records who did what in the audit log. The contract declares which calls are recorded. */

/** Where a call comes from; the client is null for the server's own process. */
type Origin = Pick<NewAuditEntry, 'client' | 'requestId'>;

export function actorOf({ key, person, byPassword }: Right, { client, requestId }: Origin): Actor {
  const own = { workspace: key.workspace, client, requestId };
  if (person !== undefined) return { ...own, actorKind: 'person', actor: person, keyId: null, owner: null };
  if (byPassword) return { ...own, actorKind: 'password', actor: null, keyId: null, owner: null };
  const actorKind: ActorKind = client === null ? 'local' : 'key';
  return { ...own, actorKind, actor: key.name, keyId: key.id, owner: key.owner };
}

/** A request as the client sent it, after its validation. */
type Sent = Partial<Record<'params' | 'query' | 'body', unknown>>;

/**
 * Calls the handler of an endpoint. The first transaction of a recorded call also stores its entry; if the call needs
 * no transaction, the entry has one of its own.
 */
export async function audited<Context extends CallContext, Output>(
  { name, endpoint, sent }: { name: string; endpoint: Endpoint; sent: Sent },
  context: Context,
  handle: (context: Context) => Promise<Output>,
): Promise<Output> {
  const fields = endpoint.audited;
  if (fields === undefined) return handle(context);
  const { store, clock } = context;
  const entry = { ...context.actor(), action: name, details: detailsOf(fields, sent) };
  let hasWritten = false;
  let isRecorded = false;
  const write: Store['write'] = async (work) => {
    hasWritten = true;
    if (isRecorded) return store.write(work);
    const result = await store.write(async (tx) => {
      const done = await work(tx);
      // It has changed nothing.
      if (done === false || done === 0) return done;
      const target = targetIn(sent.params) ?? targetIn(done);
      await tx.audit.append({ ...entry, target, createdAt: clock.systemNow() });
      return done;
    });
    isRecorded = result !== false && result !== 0;
    return result;
  };
  const recorded = overridingSome<Store>(store, { write });
  const output = await handle(Object.create(context, { store: { value: recorded } }));
  if (!hasWritten) await write(async () => {});
  return output;
}

/** Maximum characters of a detail. */
const DETAIL_CHARACTERS = 300;

function detailsOf(fields: readonly string[], { params, query, body }: Sent): Record<string, string> {
  const values: Record<string, unknown> = { ...(params ?? {}), ...(query ?? {}), ...(body ?? {}) };
  const details = fields.flatMap((field): [string, string][] => {
    const value = values[field];
    if (value === undefined) return [];
    const text = field === 'url' ? originOf(String(value)) : typeof value === 'string' ? value : JSON.stringify(value);
    return [[field, maskSecrets(shortened(text, DETAIL_CHARACTERS).toWellFormed())]];
  });
  return Object.fromEntries(details);
}

/** Returns the part of a URL that holds no secret. Paths of receivers often do. */
function originOf(url: string): string {
  return URL.canParse(url) ? new URL(url).origin : '';
}

/** Returns the ID or name in parameters, or in a record that a transaction has returned; null without one. */
function targetIn(value: unknown): string | null {
  if (typeof value !== 'object' || value === null) return null;
  const { id, name, address, domain } = value as Partial<Record<string, unknown>>;
  return [id, name, address, domain].find((each) => typeof each === 'string') ?? null;
}

/** Records that a proxy has signed a person in, at most once on each day of UTC. */
export async function recordSignIn(
  { store, clock }: Pick<Core, 'store' | 'clock'>,
  right: Right & { person: string },
  origin: Origin,
): Promise<void> {
  const now = clock.systemNow();
  const day = now - (now % DAY_MS);
  if (await store.read.audit.hasSignIn(right.person, day)) return;
  await store.write(async (tx) => {
    if (await tx.audit.hasSignIn(right.person, day)) return;
    const actor = actorOf(right, origin);
    await tx.audit.append({ ...actor, action: SIGN_IN, target: null, details: {}, createdAt: now });
  });
}
