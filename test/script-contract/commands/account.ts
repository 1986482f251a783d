import { expect } from 'vitest';
import type { CommandSpec } from '../command-spec.js';

/** Commands for domains, API keys, analytics, and the account. */
export const account: CommandSpec[] = [
  {
    command: 'domains add',
    calls: 'service',
    args: ({ unique }) => [`${unique.toLowerCase()}.example.test`],
    unknown: ['no domain'],
  },
  {
    command: 'domains list',
    calls: 'service',
    args: async (fixture) => {
      await fixture.domain();
      return [];
    },
  },
  {
    command: 'domains get',
    calls: 'service',
    args: async (fixture) => [await fixture.domain()],
    unknown: ['none.example.test'],
  },
  {
    command: 'domains verify',
    calls: 'service',
    args: async (fixture) => [await fixture.domain()],
    unknown: ['none.example.test'],
  },
  {
    command: 'domains delete',
    calls: 'service',
    args: async (fixture) => [await fixture.domain(), '--yes'],
    prints: () => ({ domain: expect.stringContaining('.example.test'), deleted: true }),
    unknown: ['none.example.test', '--yes'],
  },
  {
    command: 'domains dns',
    calls: 'control',
    args: async (fixture) => {
      const domain = await fixture.domain();
      return [domain, '--unpublish=spf'];
    },
    controlCharactersExemption: 'it finds the domain by its name in what the server lists',
    prints: () => ({
      dns: 'simulated',
      records: expect.arrayContaining([expect.objectContaining({ purpose: 'spf', published: false })]),
    }),
    unknown: ['none.example.test'],
  },
  {
    command: 'domains dns',
    when: 'of every domain',
    calls: 'control',
    args: async (fixture) => {
      await fixture.domain();
      return [];
    },
  },
  {
    command: 'api-keys create',
    calls: 'service',
    args: () => ['--name=ci', '--rate-limit=60'],
    wrong: ['--name=ci', '--rate-limit=60', '--environment=prod'],
  },
  {
    command: 'api-keys list',
    calls: 'service',
    args: async (fixture) => {
      await fixture.apiKey();
      return [];
    },
  },
  {
    command: 'api-keys revoke',
    calls: 'service',
    args: async (fixture) => [(await fixture.apiKey()).id, '--yes'],
    prints: () => ({ id: expect.stringMatching(/^key_/), revoked: true }),
    unknown: ['key_none', '--yes'],
  },
  {
    command: 'analytics',
    calls: 'service',
    args: async (fixture) => {
      await fixture.email();
      return [];
    },
    wrong: ['--since=yesterday'],
  },
  {
    command: 'whoami',
    calls: 'service',
    explainsFailure: true,
    prints: ({ proxyRoute }) => ({
      kind: 'remote',
      base_url: proxyRoute.baseUrl,
      why: 'SVC_BASE_URL',
      api_key: expect.stringMatching(/^svc_test_….{4}$/),
      key_works: true,
    }),
  },
];
