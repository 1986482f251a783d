import { type DevServer, startDev } from '../support/cli/binary.js';
import { overHttp } from './suite/over-http.js';
import { runContractSuite } from './suite/run.js';

/** Runs the contract suite against the built local server, over HTTP. */

const LIVE_KEY = 'svc_live_contract_suite';

let server: DevServer;
let connection: ReturnType<typeof overHttp>;

runContractSuite(
  'the service, over HTTP',
  async () => {
    server = await startDev(['--in-memory', '--plan', 'none', '--api-key', LIVE_KEY]);
    const baseUrl = server.ready.base_url;
    connection = overHttp(baseUrl);
    const made = await connection.exchange({
      method: 'POST',
      path: '/api-keys',
      headers: { authorization: `Bearer ${LIVE_KEY}`, 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'Contract suite', environment: 'test' }),
    });
    const { exchange } = connection;
    const { key } = JSON.parse(made.body).data;
    return { baseUrl, key, liveKey: LIVE_KEY, exchange, reachesLoopback: true, simulates: true, exclusive: true };
  },
  async () => {
    connection.close();
    await server.stop();
  },
);
