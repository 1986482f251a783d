import { createHmac, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';

/** An application that subscribes to webhooks, sends an email and prints the events that follow. */

const { APP_URL, SVC_BASE_URL, SVC_API_KEY, SVC_WEBHOOK_SECRET } = process.env;

const server = createServer(async (request, response) => {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  const body = Buffer.concat(chunks);
  if (!isSigned(body, request.headers['x-service-signature'])) {
    response.writeHead(401).end();
    console.log('app: refused a request without a valid signature');
    return;
  }
  response.writeHead(204).end();
  const { type, data } = JSON.parse(body.toString());
  console.log(`app: received ${type} for ${data.to}`);
});

function isSigned(body, signature = '') {
  const expected = Buffer.from(createHmac('sha256', SVC_WEBHOOK_SECRET).update(body).digest('hex'));
  const given = Buffer.from(signature);
  return given.length === expected.length && timingSafeEqual(given, expected);
}

async function call(method, path, body) {
  const response = await fetch(SVC_BASE_URL + path, {
    method,
    headers: { authorization: `Bearer ${SVC_API_KEY}`, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  });
  if (response.status === 204) return undefined;
  const { success, data, error } = await response.json();
  if (!success) throw new Error(`${method} ${path}: ${error.message}`);
  return data;
}

/** Subscribes once, also when the container starts again with the same data. */
async function subscribe(url) {
  const { webhooks } = await call('GET', '/webhooks');
  for (const webhook of webhooks) if (webhook.url === url) await call('DELETE', `/webhooks/${webhook.id}`);
  const events = ['email.sent', 'email.delivered', 'email.bounced'];
  await call('POST', '/webhooks', { url, events, secret: SVC_WEBHOOK_SECRET });
}

server.listen(Number(new URL(APP_URL).port));
await once(server, 'listening');
await subscribe(`${APP_URL}/hooks`);
const { id } = await call('POST', '/emails', {
  to: 'ada@example.test',
  from: 'shop@example.test',
  subject: 'Your order',
  html: '<p><a href="https://shop.example/orders/1">Your order</a> is on its way.</p>',
});
console.log(`app: sent ${id}`);
process.once('SIGTERM', () => server.close(() => process.exit(0)));
