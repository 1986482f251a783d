import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { svcTest } from '../../src/testing/vitest.js';

/** A server that is started in a test would count against the limit of the test. */

const started: string[] = [];
vi.mock(import('../../src/testing/index.js'), async (original) => {
  const module = await original();
  return {
    ...module,
    startServer: (options) => {
      started.push('server');
      return module.startServer(options);
    },
  };
});

beforeAll(() => vi.stubEnv('SVC_BASE_URL', undefined));
afterAll(() => vi.unstubAllEnvs());

const test = svcTest({ fresh: true, inProcess: true });

it('a server has been started when the first test begins', () => {
  expect(started).toEqual(['server']);
});

test('is the one of the fixture', async ({ svc, inbox }) => {
  expect(started).toEqual(['server']);
  expect(inbox.address).toContain('@');
  expect(svc.env.SVC_BASE_URL).toMatch(/^http/);
});
