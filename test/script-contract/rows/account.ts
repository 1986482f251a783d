import { expect } from 'vitest';
import type { Row } from '../row.js';

/** Domains, API keys, analytics, and what says who one is. */
export const account: Row[] = [
  {
    command: 'domains add',
    calls: 'service',
    args: ({ unique }) => [`${unique.toLowerCase()}.example.test`],
    unknown: ['no domain'],
  },
  { command: 'domains list', calls: 'service' },
  {
    command: 'domains get',
    calls: 'service',
    args: async (stage) => [await stage.domain()],
    unknown: ['none.example.test'],
  },
  {
    command: 'domains verify',
    calls: 'service',
    args: async (stage) => [await stage.domain()],
    unknown: ['none.example.test'],
  },
  {
    command: 'domains delete',
    calls: 'service',
    args: async (stage) => [await stage.domain(), '--yes'],
    prints: () => ({ domain: expect.stringContaining('.example.test'), deleted: true }),
    unknown: ['none.example.test', '--yes'],
  },
  {
    command: 'domains dns',
    calls: 'control',
    args: async (stage) => {
      const domain = await stage.domain();
      return [domain, '--unpublish=spf'];
    },
    trusts: 'it finds the domain by its name in what the server lists',
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
    args: async (stage) => {
      await stage.domain();
      return [];
    },
  },
  {
    command: 'api-keys create',
    calls: 'service',
    args: () => ['--name=ci'],
    wrong: ['--name=ci', '--environment=prod'],
  },
  { command: 'api-keys list', calls: 'service' },
  {
    command: 'api-keys revoke',
    calls: 'service',
    args: async (stage) => [(await stage.post('/v1/api-keys', { name: 'ci', environment: 'test' })).id, '--yes'],
    prints: () => ({ id: expect.stringMatching(/^key_/), revoked: true }),
    unknown: ['key_none', '--yes'],
  },
  { command: 'analytics', calls: 'service', wrong: ['--since=yesterday'] },
  {
    command: 'whoami',
    calls: 'service',
    findsWhy: true,
    prints: ({ passage }) => ({
      kind: 'remote',
      base_url: passage.baseUrl,
      why: 'SVC_BASE_URL',
      api_key: expect.stringMatching(/^svc_test_….{4}$/),
      key_works: true,
    }),
  },
];
