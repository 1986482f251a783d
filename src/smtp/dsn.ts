import type { SMTPServerEnvelope } from 'smtp-server';
import type { DsnRequest } from '../core/model/received.js';

/** Returns the parameters of RFC 3461 that a client gave; null for none. */
export function dsnRequestOf({ dsn, rcptTo }: SMTPServerEnvelope): DsnRequest | null {
  const recipients = rcptTo.flatMap(({ address, dsn: given }) =>
    given?.notify || given?.orcpt ? [{ address, notify: given.notify ?? null, orcpt: given.orcpt ?? null }] : [],
  );
  const ret = dsn?.ret ?? null;
  const envid = dsn?.envid ?? null;
  return ret === null && envid === null && recipients.length === 0 ? null : { ret, envid, recipients };
}
