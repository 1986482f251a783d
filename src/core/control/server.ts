import { SETTLE_MS } from '../../contract/control/server.js';
import { timestamp } from '../context.js';
import type { ControlContext, ControlHandler } from './context.js';
import { webhookSecretFor } from './webhook-secret.js';

/** Implements the control API's endpoints for the server itself. */

export const health: ControlHandler<'health'> = async (_, { start, controlEnabled, clock }) => ({
  status: 'ok',
  instance: start.instance,
  control: controlEnabled,
  now: timestamp(clock.now()),
});

export const summary: ControlHandler<'summary'> = async (_, { store }) => ({
  emails: Object.fromEntries(await store.read.emails.countByStatus()),
  unread: await store.read.emails.countUnread(),
  failing_webhooks: await store.read.deliveries.countFailingWebhooks(),
});

export const info: ControlHandler<'info'> = async (_, context) => {
  const { describe, clock, store, key } = context;
  return {
    ...describe(),
    webhook_secret: webhookSecretFor(context),
    workspace: key.workspace,
    now: timestamp(clock.now()),
    last_event: await store.read.events.lastSeq(),
    unindexed_emails: await store.read.emails.waitingForIndex(),
  };
};

/** Interval of checks while messages cannot be parsed. */
const RETRY_MS = 20;

export const settle: ControlHandler<'settle'> = async ({ body }, context) => {
  const { clock } = context;
  const until = clock.systemNow() + (body.timeout ?? SETTLE_MS);
  let cancel = () => {};
  const timeOut = new Promise<false>((resolve) => {
    cancel = clock.after(Math.max(0, until - clock.systemNow()), () => resolve(false));
    context.signal.addEventListener('abort', () => resolve(false), { once: true });
  });
  try {
    // Parsing in a worker is not ended early, only the wait for it.
    return { settled: await Promise.race([untilNothingIsPending(context, until), timeOut]) };
  } finally {
    cancel();
  }
};

async function untilNothingIsPending(context: ControlContext, until: number): Promise<boolean> {
  const { store, runDue, signal, clock } = context;
  for (;;) {
    // Parses messages first: their first steps are pending afterwards.
    if (!(await runDue(until))) return false;
    const isParsed = (await store.read.received.unparsedRange()) === undefined;
    if (isParsed && (await store.read.emails.nextDue()) === null) {
      return true;
    }
    if (signal.aborted || clock.systemNow() >= until) return false;
    if (isParsed) await context.deliverPending();
    // No worker can be started now. Their jobs try again.
    else await clock.sleep(RETRY_MS);
  }
}
