import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

/**
 * Runs the contract suite against any server: `npm run test:contract -- --base-url URL --api-key KEY [--live-key KEY]
 * [--simulator]`. `--simulator` declares that the server is svc's own, which simulates bounces, complaints, opens and
 * clicks.
 */

const USAGE =
  'npm run test:contract -- --base-url http://127.0.0.1:8025/v1 --api-key svc_test_… [--live-key svc_live_…] [--simulator]';

function read() {
  try {
    const { values } = parseArgs({
      options: {
        'base-url': { type: 'string' },
        'api-key': { type: 'string' },
        'live-key': { type: 'string' },
        simulator: { type: 'boolean' },
      },
    });
    return URL.canParse(values['base-url'] ?? '') && values['api-key'] ? values : undefined;
  } catch {
    return undefined;
  }
}

const values = read();
if (!values) {
  process.stderr.write(`Usage: ${USAGE}\n`);
  process.exit(2);
}
const child = spawn(
  process.execPath,
  [
    fileURLToPath(new URL('../../node_modules/vitest/vitest.mjs', import.meta.url)),
    'run',
    '--config',
    'test/contract/vitest.config.ts',
  ],
  {
    cwd: fileURLToPath(new URL('../..', import.meta.url)),
    stdio: 'inherit',
    env: {
      ...process.env,
      SVC_CONTRACT_BASE_URL: values['base-url'],
      SVC_CONTRACT_API_KEY: values['api-key'],
      SVC_CONTRACT_LIVE_KEY: values['live-key'] ?? '',
      SVC_CONTRACT_SIMULATOR: values.simulator ? 'yes' : '',
    },
  },
);
child.on('exit', (code) => {
  process.exitCode = code ?? 1;
});
