import type { FastifyInstance } from 'fastify';
import type { Clock } from '../../core/ports.js';
import { PRIVATE_HEADERS } from '../response/safe-headers.js';
import { STORE_MS, storeTimeLimit } from './time-limit.js';

/** Serves the probes of load balancers and supervisors, without a key and without details of the server. */

export interface Probed {
  /** Reads from the store. No other work delays it. */
  ping(): Promise<void>;
  clock: Pick<Clock, 'after'>;
  /** Returns whether the server is about to stop. */
  isDraining(): boolean;
}

export async function probes(server: FastifyInstance, probed: Probed): Promise<void> {
  const route = { config: { public: true, unlogged: true } };
  server.get('/healthz', route, async (_, reply) => reply.headers(PRIVATE_HEADERS).type('text/plain').send('ok\n'));
  server.get('/readyz', route, async (_, reply) => {
    const reason = await whyNotReady(probed);
    const text = reason ?? 'ready';
    return reply
      .code(reason ? 503 : 200)
      .headers(PRIVATE_HEADERS)
      .type('text/plain')
      .send(`${text}\n`);
  });
}

/** Returns the reason why the server takes no requests; undefined if it does. */
async function whyNotReady({ ping, clock, isDraining }: Probed): Promise<string | undefined> {
  if (isDraining()) return 'the server is about to stop';
  const { late, cancel } = storeTimeLimit(clock);
  const tooLate = late.then(() => `the database did not answer within ${STORE_MS / 1_000} s`);
  // The reason may name hosts and users, so it is only in the log.
  const answered = ping().then(
    () => undefined,
    () => 'the database cannot be read',
  );
  return Promise.race([answered, tooLate]).finally(cancel);
}
