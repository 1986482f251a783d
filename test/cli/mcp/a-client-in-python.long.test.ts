import { join } from 'node:path';
import { expect, it } from 'vitest';
// @ts-expect-error Scripts have no types.
import { isComplete, programs } from '../../../scripts/test-clients.js';
import { BINARY, environment, NOWHERE, ROOT, startDev } from '../../support/cli/binary.js';
import { runTool, skippedWithout } from '../../support/cli/tools.js';
import { bytes } from '../../support/servers/server-calls.js';

/** Tests `svc mcp` with the client of PyPI's package mcp, which shares no code with the SDK that svc uses. */

const PYTHON = join(programs.mcp, 'python');
const PROGRAM = join(ROOT, 'test/support/cli/mcp_client.py');

const skipped = skippedWithout('mcp for Python', isComplete('mcp'), 'npm run test-clients');

it.skipIf(skipped)(`initializes, calls tools and reads resources${skipped}`, async () => {
  const dev = await startDev(['--in-memory']);
  const { base_url, api_key } = dev.ready;
  const env = environment({ SVC_BASE_URL: base_url, SVC_API_KEY: api_key, SVC_DATA_DIR: NOWHERE });
  const output = await runTool(PYTHON, [PROGRAM, process.execPath, BINARY, 'mcp'], '', {
    env: env as Record<string, string>,
  });

  const seen = JSON.parse(output);
  const { id } = seen.sent;
  expect(seen.instructions).toContain('wait_for_email');
  expect(seen.tools).toContain('simulate_outcome');
  expect(seen.templates).toBe(2);
  expect(seen.found.emails).toMatchObject([{ id, codes: [{ value: '493817' }] }]);
  expect(seen.code.code).toBe('493817');
  expect(seen.unknown).toMatchObject({
    isError: true,
    content: [{ text: expect.stringContaining('Error: Email "msg_none" not found.') }],
  });
  expect(seen.text).toContain('Your code is 493817');
  expect(seen.raw).toBe((await bytes(dev.ready, `/_svc/emails/${id}/raw`)).toString());
  expect(await dev.stop()).toBe(0);
});
