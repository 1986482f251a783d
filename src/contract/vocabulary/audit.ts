/** Who can act: a person whom a proxy has signed in, an API key, the inbox password, or the server's own process. */
export const actorKinds = ['person', 'key', 'password', 'local'] as const;
export type ActorKind = (typeof actorKinds)[number];

/** The action of a person whom a proxy has signed in. The others are names of operations. */
export const SIGN_IN = 'sign-in';
