import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type DevServer, NOWHERE, startDev } from '../../support/cli/binary.js';
import { type Agent, openAgent } from '../../support/cli/mcp.js';
import type { Document } from '../../support/openapi.js';
import { data } from '../../support/servers/server-calls.js';
import { fitting, oddText, oddValue, spoilt } from './json-arbitrary.js';

/** Calls the tools of `svc mcp` with odd arguments. Each call is answered, and none is a fault of svc. */

const RUNS = Number(process.env.SVC_FUZZ_RUNS ?? 40);
const TOOLS = [
  ...['send_email', 'search_emails', 'wait_for_email', 'get_email', 'extract_from_email', 'check_email'],
  ...['simulate_outcome', 'advance_clock', 'list_deliveries', 'replay_deliveries', 'render_template', 'diagnose'],
];
/** What JavaScript says about a defect. */
const FAULT =
  /Cannot (?:read|set) propert|is not (?:a function|iterable)|Maximum call stack|\[object \w+\]|\bundefined\b/;
const ID = '{id}';
/** Longer waits would only wait. */
const WAIT_MS = 20;

let dev: DevServer;
let agent: Agent;
let id: string;

beforeAll(async () => {
  dev = await startDev(['--in-memory', '--plan', 'none']);
  agent = await openAgent({
    SVC_BASE_URL: dev.ready.base_url,
    SVC_API_KEY: dev.ready.api_key,
    SVC_DATA_DIR: NOWHERE,
  });
  const sent = await agent.call('send_email', { to: 'ada@example.test', subject: 'Code 123456', html: '<p>Hello</p>' });
  id = sent.id;
});

afterAll(async () => {
  await agent.close();
  expect(await dev.stop()).toBe(0);
});

describe(`${RUNS} calls of each tool for agents`, () => {
  it('are calls of all tools', async () => {
    const { tools } = await agent.client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(TOOLS);
  });

  it.each(TOOLS)('%s', async (name) => {
    const { tools } = await agent.client.listTools();
    const fits = fitting({} as Document, tools.find((tool) => tool.name === name)?.inputSchema);
    const args = fc.oneof(fits, spoilt(fits), fc.dictionary(oddText, oddValue, { maxKeys: 3 }));
    const property = fc.asyncProperty(args, fc.constantFrom(ID, ID, 'latest', 'none'), async (given, ofEmail) => {
      if (typeof given !== 'object' || given === null) return;
      const call = { ...given } as Record<string, unknown>;
      if (typeof call.id === 'string') call.id = ofEmail === ID ? id : ofEmail;
      if (typeof call.timeout_ms === 'number') call.timeout_ms = Math.min(call.timeout_ms, WAIT_MS);
      else if (name === 'wait_for_email') call.timeout_ms = WAIT_MS;
      const text = await agent.text(name, call);
      expect(text).not.toBe('');
      if (text.startsWith('Error')) expect(withoutQuotes(text)).not.toMatch(FAULT);
    });
    await fc.assert(property, { numRuns: RUNS });
    const failed = await data(dev.ready, '/_svc/requests?status=5xx');
    expect(failed.requests).toEqual([]);
  });
});

/** Removes what a message quotes: it can be anything. */
function withoutQuotes(text: string): string {
  return text.replace(/"(?:[^"\\]|\\.)*"/g, '""');
}
