import { afterAll, beforeAll, describe, it } from 'vitest';
import { Api } from './api.js';
import type { Check } from './check.js';
import { checks } from './checks/index.js';
import { EVENT_TYPES, SECRET } from './checks/webhooks.js';
import { ALL_EVENTS_PATH, type Receiver, startReceiver } from './receiver.js';
import type { Target } from './target.js';

/**
 * Runs every check against a target. The report has one line for each row of the register that a check covers, and the
 * line begins with the row's id; the check itself runs once.
 */
export function runContractSuite(name: string, open: () => Promise<Target>, close: () => Promise<void>): void {
  describe(name, () => {
    let api: Api;
    let hook: Api | undefined;
    let receiver: Receiver | undefined;
    const results = new Map<Check, Promise<void>>();

    beforeAll(async () => {
      const target = await open();
      if (target.reachesLoopback) receiver = await startReceiver();
      api = new Api(target, receiver);
      if (!receiver) return;
      const url = receiver.url(ALL_EVENTS_PATH);
      const body = { url, events: EVENT_TYPES, secret: SECRET };
      // With an Api of its own, so that no check's cleanup deletes it.
      hook = new Api(target, receiver);
      await hook.ok(201, 'POST', '/webhooks', body);
    });

    afterAll(async () => {
      await hook?.cleanUp();
      await receiver?.close();
      await close();
    });

    for (const check of checks) {
      for (const row of check.rows) {
        it(`${row} · ${check.title}`, async ({ skip }) => {
          if (check.needs === 'live-key' && !api.target.liveKey) skip('no live key was given');
          if (check.needs === 'receiver' && !receiver) skip('the server cannot post to this machine');
          if (check.needs === 'simulator' && !(receiver && api.target.simulates))
            skip('the server simulates no outcomes');
          const result = results.get(check) ?? check.run(api).finally(() => api.cleanUp());
          results.set(check, result);
          await result;
        });
      }
    }
  });
}
