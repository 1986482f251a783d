/** Kinds of API keys. A local server tells only `creator` apart. */

export const keyKinds = ['admin', 'ordinary', 'workspace', 'creator'] as const;
export type KeyKind = (typeof keyKinds)[number];

/** Who uses a server: `local` trusts every key with everything, `team` tells kinds of keys apart. */
export type Access = 'local' | 'team';

/** What every key may do, except those that only create workspaces. */
export const ANY_KIND: readonly KeyKind[] = ['admin', 'ordinary', 'workspace'];

/** What affects everyone, such as the clock. */
export const ADMIN: readonly KeyKind[] = ['admin'];

/** What affects everyone without a workspace, or only a workspace, such as rules and faults. */
export const ADMIN_OR_WORKSPACE: readonly KeyKind[] = ['admin', 'workspace'];

/** What belongs to the whole server, such as templates and the request log. */
export const WITHOUT_WORKSPACE: readonly KeyKind[] = ['admin', 'ordinary'];
