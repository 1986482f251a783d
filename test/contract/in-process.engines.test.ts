import { startApp, type TestApp } from '../support/servers/app.js';
import { runContractSuite } from './suite/run.js';

/**
 * Runs the contract suite without a socket and checks every response against the contract. Only this adapter depends on
 * the app.
 */

const LIVE_KEY = 'svc_live_contract_suite';
const PREFIX = '/v1';

let app: TestApp;

runContractSuite(
  'the service, in-process',
  async () => {
    app = await startApp({ plan: 'none', apiKey: LIVE_KEY });
    const made = await app.call('POST', `${PREFIX}/api-keys`, { name: 'Contract suite', environment: 'test' });
    return {
      baseUrl: `http://localhost${PREFIX}`,
      key: made.json.data.key,
      liveKey: LIVE_KEY,
      reachesLoopback: true,
      simulates: true,
      exclusive: true,
      settle: () => app.drain(),
      async exchange({ method, path, headers, body }) {
        const response = await app.http.inject({
          method: method as 'GET',
          url: PREFIX + path,
          headers: { host: 'localhost', ...headers },
          ...(body !== undefined && { payload: typeof body === 'string' ? body : Buffer.from(body) }),
        });
        const names = Object.entries(response.headers).map(([name, value]) => [name, [value ?? ''].flat().join(', ')]);
        return { status: response.statusCode, headers: Object.fromEntries(names), body: response.body };
      },
    };
  },
  async () => {
    await app.close();
    if (app.faults.length > 0) throw new AggregateError(app.faults, 'the server met faults');
  },
);
