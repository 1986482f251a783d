import { describe, expect, it } from 'vitest';
import { plans } from '../../../src/contract/vocabulary/limits.js';
import { startApp } from '../../support/servers/app.js';

/**
 * Specification: Rate limits by plan; gap 32. Compares the figures of the other plans; the free plan's tests show
 * how a quota works.
 */

describe('the plans', () => {
  it.each([
    ['free', 60, 1_000],
    ['indie', 120, 10_000],
    ['startup', 300, 50_000],
    ['growth', 600, 250_000],
    ['enterprise', 1_200, null],
    ['none', null, null],
  ] as const)('have the figures of the specification: %s', (plan, requestsPerMinute, emailsPerMonth) => {
    expect(plans[plan]).toEqual({ requestsPerMinute, emailsPerMonth });
  });

  it('default to enterprise', async () => {
    const app = await startApp();
    const { json } = await app.call('GET', '/_svc/info');
    const { headers } = await app.call('GET', '/v1/emails');
    await app.close();
    expect([json.data.plan, headers['x-ratelimit-limit']]).toEqual(['enterprise', '1200']);
  });
});
