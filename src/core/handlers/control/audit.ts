import type { AuditEntry } from '../../../contract/control/audit.js';
import { timestamp } from '../../context.js';
import type { AuditEntry as StoredEntry } from '../../model/audit.js';
import { paginate } from '../../reads.js';
import type { ControlHandler } from './context.js';

/** Implements the control API's endpoint for the audit log. */

export const listAudit: ControlHandler<'audit.list'> = async ({ query }, { store }) => {
  const { items, total } = await store.read.audit.list(query);
  return { entries: items.map(present), pagination: paginate(query, total) };
};

function present(entry: StoredEntry): AuditEntry {
  const { seq, createdAt, actorKind: kind, actor: name, keyId: key_id, owner, requestId: request_id } = entry;
  const { action, target, details, workspace, client } = entry;
  return {
    ...{ seq, created_at: timestamp(createdAt), actor: { kind, name, key_id, owner } },
    ...{ action, target, details, workspace, client, request_id },
  };
}
