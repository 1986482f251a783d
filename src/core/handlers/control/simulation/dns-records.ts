import { ServiceError } from '../../../../contract/vocabulary/errors.js';
import { everyRecord } from '../../../account/simulated-dns.js';
import { unknownDomain } from '../../service/domains.js';
import type { ControlHandler, ControlHandlers } from '../context.js';

/** Implements the control API's endpoints for the simulated DNS. Gap 17. */

const listRecords: ControlHandler<'dns.list', 'simulatedDns'> = async ({ query: { look_up: domain } }, context) => {
  const { simulatedDns, dns, store } = context;
  const kind = simulatedDns ? 'simulated' : 'real';
  const records = simulatedDns
    ? await simulatedDns.records(store.read)
    : (await everyRecord(store.read)).map(({ token: _, ...record }) => ({ ...record, published: null }));
  if (domain === undefined) return { dns: kind, records };
  if (!(await store.read.domains.find(domain))) throw unknownDomain(domain);
  const own = records.filter((record) => record.domain === domain);
  const found = await Promise.all(own.map(({ name }) => dns.txt(name).catch(noAnswer)));
  return { dns: kind, records: own.map((record, index) => ({ ...record, found: found[index] ?? null })) };
};

/** The verification of the domain reports why the DNS did not answer. */
function noAnswer(error: unknown): null {
  if (error instanceof ServiceError && error.failure === 'upstream') return null;
  throw error;
}

const publishRecord: ControlHandler<'dns.update', 'simulatedDns'> = ({ params, body }, { simulatedDns }) => {
  if (simulatedDns) return simulatedDns.setPublished(params.name, body.published);
  throw new ServiceError(
    'conflict',
    'This server uses real DNS; change the records there.',
    undefined,
    'To simulate DNS, start "svc dev" without --dns real and --dns-server.',
  );
};

export const dnsHandlers = {
  'dns.list': listRecords,
  'dns.update': publishRecord,
} satisfies Partial<ControlHandlers>;
