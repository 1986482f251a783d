import { Agent, request } from 'undici';
import { describeMachine, median, printTable, quantile } from './support/figures.js';
import { HttpClient } from './support/http-client.js';
import { fileSystemOf, type Svc, startSvc } from './support/servers.js';
import { startWebhookReceiver, type WebhookReceiver } from './support/webhook-receiver.js';

/**
 * Compares webhook deliveries to a local receiver with a bare loop that posts the same bytes to the same receiver with
 * undici.
 */

const ROUNDS = Number(process.env.SVC_BENCH_ROUNDS ?? 5);
/** Recipients of one email; each has the events email.sent and email.delivered. */
const RECIPIENTS = 1_000;
const MAILS = Number(process.env.SVC_BENCH_MAILS ?? 3);
const EVENTS = MAILS * RECIPIENTS * 2;
/** The number of requests that svc makes at once. */
const CONCURRENCY = 64;
const POSTS = Number(process.env.SVC_BENCH_POSTS ?? 500);
const RATE_GOAL = 0.5;
const LATENCY_GOAL_MS = 5;

const SECRET = 'whsec_bench';
const EMAIL = { from: 'Ada <ada@example.test>', subject: 'Your order', html: '<p>Your order has left our house.</p>' };
const recipients = Array.from({ length: RECIPIENTS }, (_, n) => `customer-${n}@example.test`);

export async function main(root: string): Promise<void> {
  const receiver = await startWebhookReceiver(root);
  const svc = await startSvc(root);
  const agent = new Agent({ connections: CONCURRENCY });
  console.log(`webhooks to a receiver of its own process; ${describeMachine()}; data on ${fileSystemOf(svc.dataDir)}`);
  try {
    await compareRates(svc, receiver, agent);
    await compareLatencies(svc, receiver, agent);
  } finally {
    await Promise.all([svc.stop(), receiver.stop(), agent.destroy()]);
  }
}

/** Compares the rate from the first request to the last. svc signs and records every one of them. */
async function compareRates(svc: Svc, receiver: WebhookReceiver, agent: Agent): Promise<void> {
  console.log(`\n${ROUNDS} rounds of ${EVENTS} events, bare and svc in turn, ${CONCURRENCY} at once; medians.`);
  const webhook = await subscribe(svc, receiver, ['email.sent', 'email.delivered']);
  const rates = { bare: [] as number[], svc: [] as number[] };
  // The first round is not counted: code is loaded and compiled in it.
  for (let round = -1; round < ROUNDS; round += 1) {
    const bare = await rateOf(receiver, () => loop(receiver.url, agent, EVENTS));
    const own = await rateOf(receiver, async () => {
      for (let mail = 0; mail < MAILS; mail += 1) await call(svc, 'POST', '/emails', { ...EMAIL, to: recipients });
    });
    await recorded(svc);
    if (round < 0) continue;
    rates.bare.push(bare);
    rates.svc.push(own);
  }
  const ratio = median(rates.svc.map((rate, round) => rate / (rates.bare[round] ?? Number.NaN)));
  printTable(
    ['events/s', 'bare', 'svc', 'ratio', 'goal', ''],
    [
      [
        'delivered',
        median(rates.bare).toFixed(0),
        median(rates.svc).toFixed(0),
        ratio.toFixed(3),
        String(RATE_GOAL),
        verdict(ratio >= RATE_GOAL),
      ],
    ],
  );
  await call(svc, 'DELETE', `/webhooks/${webhook}`);
}

/**
 * Compares the time from POST /emails, or from a bare post, to the receiver's request: one at a time, on an idle
 * server.
 */
async function compareLatencies(svc: Svc, receiver: WebhookReceiver, agent: Agent): Promise<void> {
  console.log(
    `\n${POSTS} of each in turn, one at a time: milliseconds from the start of POST to the receiver's request.`,
  );
  await subscribe(svc, receiver, ['email.sent']);
  const body = { ...EMAIL, to: 'grace@example.test' };
  const client = HttpClient.post(svc.httpPort, '/v1/emails', svc.apiKey, body, 201);
  const times = { bare: [] as number[], svc: [] as number[] };
  for (let post = -50; post < POSTS; post += 1) {
    const bare = await timeTo(receiver, () => barePost(receiver.url, agent));
    const own = await timeTo(receiver, () => client.exchange());
    if (post < 0) continue;
    times.bare.push(bare);
    times.svc.push(own);
  }
  client.close();
  const rows = [0.5, 0.99].map((part) => {
    const [bare, own] = [quantile(times.bare, part), quantile(times.svc, part)];
    const goal = part === 0.5 ? [`${LATENCY_GOAL_MS} more`, verdict(own - bare <= LATENCY_GOAL_MS)] : ['', ''];
    return [
      `p${part * 100}`,
      bare.toFixed(2),
      own.toFixed(2),
      (own / bare).toFixed(1),
      (own - bare).toFixed(2),
      ...goal,
    ];
  });
  printTable(['ms to receiver', 'bare', 'svc', 'ratio', 'more', 'goal', ''], rows);
}

async function rateOf(receiver: WebhookReceiver, send: () => Promise<void>): Promise<number> {
  const { arrivals } = await receiver.expect(EVENTS);
  await send();
  const { first, last } = await arrivals;
  return (EVENTS - 1) / (Number(last - first) / 1e9);
}

async function timeTo(receiver: WebhookReceiver, send: () => Promise<void>): Promise<number> {
  const { arrivals } = await receiver.expect(1);
  const began = process.hrtime.bigint();
  await send();
  return Number((await arrivals).last - began) / 1e6;
}

/** Posts in a loop, as the baseline: stores and signs nothing, and reads only the status. */
async function loop(url: string, agent: Agent, count: number): Promise<void> {
  let left = count;
  const worker = async () => {
    while (left > 0) {
      left -= 1;
      await barePost(url, agent);
    }
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, worker));
}

async function barePost(url: string, agent: Agent): Promise<void> {
  const { statusCode, body } = await request(url, {
    method: 'POST',
    headers: HEADERS,
    body: PAYLOAD,
    dispatcher: agent,
  });
  await body.dump();
  if (statusCode !== 200) throw new Error(`the receiver answered ${statusCode}`);
}

const HEADERS = {
  'Content-Type': 'application/json',
  'User-Agent': 'bench',
  'X-Service-Attempt': '1',
  'X-Service-Signature': '0'.repeat(64),
};
const PAYLOAD = JSON.stringify({
  id: 'evt_01k9m3v5w7x9y1z3a5b7c9d1e3',
  type: 'email.delivered',
  created_at: '2026-01-01T12:00:00.000Z',
  version: '1.0',
  data: {
    email_id: 'msg_01k9m3v5w7x9y1z3a5b7c9d1e3',
    to: 'customer-500@example.test',
    delivered_at: '2026-01-01T12:00:00.000Z',
    smtp_response: '250 2.0.0 OK: queued as msg_01k9m3v5w7x9y1z3a5b7c9d1e3',
  },
});

async function subscribe(svc: Svc, { url }: WebhookReceiver, events: string[]): Promise<string> {
  const { id } = (await call(svc, 'POST', '/webhooks', { url, events, secret: SECRET })) as { id: string };
  return id;
}

/** Waits until every attempt is recorded. */
async function recorded(svc: Svc): Promise<void> {
  for (;;) {
    const { pagination } = (await call(svc, 'GET', '/../_svc/deliveries?state=pending&limit=1')) as {
      pagination: { total: number };
    };
    if (pagination.total === 0) return;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

async function call({ httpPort, apiKey }: Svc, method: string, path: string, body?: unknown): Promise<unknown> {
  const response = await fetch(new URL(`/v1${path}`, `http://127.0.0.1:${httpPort}`), {
    method,
    headers: { authorization: `Bearer ${apiKey}`, ...(body !== undefined && { 'content-type': 'application/json' }) },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path}: ${text}`);
  return text === '' ? undefined : (JSON.parse(text) as { data: unknown }).data;
}

const verdict = (reached: boolean) => (reached ? 'reached' : 'not reached');
