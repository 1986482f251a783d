import { version } from '../../../src/version.js';
import { startSvc } from '../servers.js';
import { bodyOf } from './message.js';
import { getJson, measures, type Peer, untilTrue } from './peer.js';

interface Found {
  id: string;
  subject: string;
}

/** Starts the built svc on a data directory. Emails are settled once they are stored and in the search index. */
export async function startSvcAsPeer(root: string): Promise<Peer> {
  const began = performance.now();
  const svc = await startSvc(root);
  const startMs = performance.now() - began;
  const headers = { authorization: `Bearer ${svc.apiKey}` };
  const get = <T>(path: string) => getJson<{ data: T }>(`http://127.0.0.1:${svc.httpPort}${path}`, headers);
  const find = async (query: string) =>
    (await get<{ emails: unknown[] }>(`/_svc/emails?limit=50&${query}`)).data.emails.length;
  const count = async () => (await get<{ pagination: { total: number } }>('/v1/emails?limit=1')).data.pagination.total;
  return {
    name: `svc ${version}`,
    smtpPort: svc.smtpPort,
    directory: svc.dataDir,
    startMs,
    ...measures(svc.pid, svc.dataDir),
    async settled(expected) {
      await untilTrue('svc has all emails', async () => (await count()) >= expected);
      await untilTrue(
        'all emails are in its index',
        async () => (await get<{ unindexed_emails: number }>('/_svc/info')).data.unindexed_emails === 0,
      );
    },
    list: () => find(''),
    search: (word) => find(`search=${word}`),
    newest: async () => (await get<{ emails: Found[] }>('/_svc/emails?limit=100')).data.emails,
    async read(id) {
      const { links, codes } = (await get<{ links: unknown[]; codes: { value: string }[] }>(`/_svc/emails/${id}`)).data;
      return { links: links.length, codes: codes.map(({ value }) => value) };
    },
    // A search stops counting when its page is full.
    matching: async (word, expected) =>
      (await get<{ total: number }>(`/_svc/emails?limit=1&offset=${expected - 1}&search=${word}`)).data.total,
    post: {
      port: svc.httpPort,
      path: '/v1/emails',
      apiKey: svc.apiKey,
      body: { from: 'shop@example.test', to: 'grace@example.test', subject: 'Posted', ...bodyOf(0) },
      status: 201,
    },
    stop: () => svc.stop(),
  };
}
