import { overHttp } from './suite/over-http.js';
import { runContractSuite } from './suite/run.js';

/** Runs the contract suite against the server given to `npm run test:contract`. */

const {
  SVC_CONTRACT_BASE_URL = '',
  SVC_CONTRACT_API_KEY = '',
  SVC_CONTRACT_LIVE_KEY,
  SVC_CONTRACT_SIMULATOR,
} = process.env;
const baseUrl = SVC_CONTRACT_BASE_URL.replace(/\/$/, '');
const { hostname } = new URL(baseUrl);
const { exchange, close } = overHttp(baseUrl);

runContractSuite(
  baseUrl,
  async () => ({
    baseUrl,
    key: SVC_CONTRACT_API_KEY,
    ...(SVC_CONTRACT_LIVE_KEY && { liveKey: SVC_CONTRACT_LIVE_KEY, SVC_CONTRACT_SIMULATOR }),
    exchange,
    reachesLoopback: /^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname),
    simulates: SVC_CONTRACT_SIMULATOR === 'yes',
    exclusive: false,
  }),
  async () => close(),
);
