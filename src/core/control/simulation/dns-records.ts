import { ServiceError } from '../../../contract/vocabulary/errors.js';
import { everyRecord } from '../../resources/simulated-dns.js';
import type { ControlHandler } from '../context.js';

/** Implements the control API's endpoints for the simulated DNS. Gap 17. */

export const listRecords: ControlHandler<'dns.list'> = async (_, { simulatedDns, store }) => {
  if (simulatedDns) return { dns: 'simulated', records: await simulatedDns.records(store.read) };
  const records = (await everyRecord(store.read)).map(({ token: _, ...record }) => ({ ...record, published: null }));
  return { dns: 'real', records };
};

export const publishRecord: ControlHandler<'dns.update'> = ({ params, body }, { simulatedDns }) => {
  if (simulatedDns) return simulatedDns.setPublished(params.name, body.published);
  throw new ServiceError(
    'conflict',
    'This server uses real DNS; change the records there.',
    undefined,
    'To simulate DNS, start "svc dev" without --dns real and --dns-server.',
  );
};
