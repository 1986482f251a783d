import type { ActorKind } from '../../contract/vocabulary/audit.js';

/** An entry of the audit log: who did what, on what, from where and when. */
export interface NewAuditEntry {
  /** Milliseconds since 1970, in system time: the service's clock can be moved. */
  createdAt: number;
  actorKind: ActorKind;
  /** The person, or the name of the key; null for other kinds. */
  actor: string | null;
  /** The API key of the call; null for a session of the inbox that a person or the password opened. */
  keyId: string | null;
  owner: string | null;
  /** The name of the operation, or `sign-in`. */
  action: string;
  /** The ID or name of what was changed; null if it has none. */
  target: string | null;
  /** Some fields of the request, as text. */
  details: Record<string, string>;
  /** The workspace that the call was limited to. */
  workspace: string | null;
  /** The client's address; null for the server's own process. */
  client: string | null;
  requestId: string;
}

/** Who sends a call, and from where. */
export type Actor = Pick<
  NewAuditEntry,
  'actorKind' | 'actor' | 'keyId' | 'owner' | 'workspace' | 'client' | 'requestId'
>;

export interface AuditEntry extends NewAuditEntry {
  seq: number;
}
