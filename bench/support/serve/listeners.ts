import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { API_KEY, call, type Setup } from './setups.js';

/** Measures how soon clients that listen receive what happens. */

const SUBSCRIBERS = 500;
const WAITS = 200;
const EVENTS_OF_EMAIL = 2;

/** Returns the milliseconds from each send to its arrival at each subscriber of the event stream. */
export async function streamTimes({ replicas }: Setup, emails: number, everyMs: number): Promise<number[]> {
  const times: number[] = [];
  const sentAt = new Map<string, number>();
  let missing = SUBSCRIBERS * emails * EVENTS_OF_EMAIL;
  let finish = () => {};
  const all = new Promise<void>((resolve) => {
    finish = resolve;
  });
  const streams = await Promise.all(
    Array.from({ length: SUBSCRIBERS }, async (_, index) => {
      const stream = await subscribe(replicas[index % replicas.length]?.httpPort ?? 0);
      stream.setEncoding('latin1').on('data', (text: string) => {
        const now = performance.now();
        for (const [, address = ''] of text.matchAll(/"to":"(stream\d+@example\.test)"/g)) {
          const at = sentAt.get(address);
          if (at === undefined) continue;
          times.push(now - at);
          missing -= 1;
          if (missing === 0) finish();
        }
      });
      return stream;
    }),
  );
  for (let n = 0; n < emails; n += 1) {
    const to = `stream${n}@example.test`;
    sentAt.set(to, performance.now());
    await call(replicas[n % replicas.length]?.httpPort ?? 0, 'POST', '/v1/emails', emailTo(to));
    await new Promise((resolve) => setTimeout(resolve, everyMs));
  }
  await Promise.race([
    all,
    new Promise((_, reject) => {
      setTimeout(() => reject(new Error(`${missing} events did not arrive.`)), 60_000).unref();
    }),
  ]);
  for (const stream of streams) stream.destroy();
  return times;
}

/** Starts waits, sends an email for each at once, and returns the milliseconds from the first send to each answer. */
export async function waitTimes({ replicas }: Setup): Promise<number[]> {
  const portOf = (index: number) => replicas[index % replicas.length]?.httpPort ?? 0;
  const addresses = Array.from({ length: WAITS }, (_, index) => `wait${index}.${Date.now()}@example.test`);
  let began = 0;
  const waits = addresses.map(async (address, index) => {
    const { matched } = await call(portOf(index), 'POST', '/_svc/emails/wait', {
      query: `to:${address}`,
      timeout_ms: 60_000,
    });
    if (!matched) throw new Error(`The wait for ${address} timed out.`);
    return performance.now() - began;
  });
  await new Promise((resolve) => setTimeout(resolve, 1_000));
  began = performance.now();
  // To another replica than the one that waits.
  await Promise.all(addresses.map((to, index) => call(portOf(index + 1), 'POST', '/v1/emails', emailTo(to))));
  return Promise.all(waits);
}

function emailTo(to: string) {
  return { from: 'ada@example.test', to, subject: 'Your order has been shipped', html: '<p>On its way</p>' };
}

async function subscribe(port: number): Promise<IncomingMessage> {
  const request = get({
    host: '127.0.0.1',
    port,
    path: '/_svc/events',
    headers: { authorization: `Bearer ${API_KEY}` },
  });
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  if (response.statusCode !== 200) throw new Error(`GET /_svc/events: ${response.statusCode}`);
  response.on('error', () => {});
  return response;
}
