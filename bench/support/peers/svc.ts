import { version } from '../../../src/version.js';
import { startSvc } from '../servers.js';
import { getJson, measures, type Peer, untilTrue } from './peer.js';

/** Starts the built svc on a data directory. Emails are settled once they are delivered and in the search index. */
export async function startSvcAsPeer(root: string): Promise<Peer> {
  const svc = await startSvc(root);
  const headers = { authorization: `Bearer ${svc.apiKey}` };
  const get = <T>(path: string) => getJson<{ data: T }>(`http://127.0.0.1:${svc.httpPort}${path}`, headers);
  const find = async (query: string) =>
    (await get<{ emails: unknown[] }>(`/_svc/emails?limit=50&${query}`)).data.emails.length;
  const count = async () => (await get<{ pagination: { total: number } }>('/v1/emails?limit=1')).data.pagination.total;
  return {
    name: `svc ${version}`,
    smtpPort: svc.smtpPort,
    directory: svc.dataDir,
    ...measures(svc.pid, svc.dataDir),
    async settled(expected) {
      await untilTrue(async () => (await count()) >= expected);
      await svc.settled();
      await untilTrue(async () => (await get<{ unindexed_emails: number }>('/_svc/info')).data.unindexed_emails === 0);
    },
    list: () => find(''),
    search: (word) => find(`search=${word}`),
    stop: () => svc.stop(),
  };
}
