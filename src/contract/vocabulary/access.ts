/** Defines who may use a server: API keys and their kinds, workspaces, and people whom a proxy has signed in. */

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

/** Who can act: a person whom a proxy has signed in, an API key, the inbox password, or the server's own process. */
export const actorKinds = ['person', 'key', 'password', 'local'] as const;
export type ActorKind = (typeof actorKinds)[number];

/** The format of an API key: its prefix, then characters that are valid in a header. Specification: Authentication. */
export const API_KEY_FORM = /^svc_(?:live|test)_[A-Za-z0-9_-]{1,200}$/;

/** The form of a workspace's name. */
export const WORKSPACE_NAME = /^[a-z0-9][a-z0-9._-]{0,62}$/;
export const WORKSPACE_NAME_FORM = '1 to 63 lower-case letters, digits, dots, hyphens or underscores';

/** Headers in which a proxy names the person that it has signed in: those of oauth2-proxy, which others use as well. */
export const signInHeaders = [
  'X-Forwarded-User',
  'X-Forwarded-Email',
  'X-Forwarded-Preferred-Username',
  'X-Auth-Request-User',
  'X-Auth-Request-Email',
  'X-Auth-Request-Preferred-Username',
] as const;
export type SignInHeader = (typeof signInHeaders)[number];

/** A name or an address of a person: printable ASCII, without spaces at the ends. */
export const PERSON = /^[\x21-\x7e](?:[\x20-\x7e]{0,252}[\x21-\x7e])?$/;
export const PERSON_FORM = '1 to 254 printable ASCII characters without spaces at the ends';

/** The action of a person whom a proxy has signed in, in the audit log. The others are names of operations. */
export const SIGN_IN = 'sign-in';
