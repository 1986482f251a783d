import { once } from 'node:events';
import { Agent, type IncomingMessage, request } from 'node:http';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { temporaryDirectory } from '../../support/cli/binary.js';
import { ADMIN_KEY, startServe, type TeamServer } from '../../support/cli/serve.js';
import { openSmtp, type SmtpSession } from '../../support/mail/smtp-session.js';
import { type PostgresServer, startPostgres, withoutPostgres } from '../../support/postgres.js';

let postgres: PostgresServer;

beforeAll(async () => {
  if (withoutPostgres === '') postgres = await startPostgres();
});
afterAll(() => postgres?.remove());

const start = async (delay: string) => {
  const database = await postgres.createDatabase();
  const args = ['--plan', 'none', '--drain-delay', delay, '--delivery-delay', '0'];
  return { database, server: await startServe(args, { env: { SVC_DATABASE_URL: database } }) };
};

/** Posts over kept connections. Returns the status, or the code of the error. */
function post({ ready }: TeamServer, agent: Agent, subject: string): Promise<number | string> {
  const body = JSON.stringify({ to: 'a@x.test', from: 'b@x.test', subject, html: '<p>Hi</p>' });
  return new Promise((resolve) => {
    const headers = {
      authorization: `Bearer ${ADMIN_KEY}`,
      'content-type': 'application/json',
      'content-length': body.length,
    };
    const sending = request(`${ready.base_url}/emails`, { method: 'POST', agent, headers }, (response) => {
      response.resume();
      response.once('end', () => resolve(response.complete ? (response.statusCode ?? 0) : 'incomplete'));
    });
    sending.once('error', ({ code }: NodeJS.ErrnoException) => resolve(code ?? 'error'));
    sending.end(body);
  });
}

async function loggedIn({ ready }: TeamServer): Promise<SmtpSession> {
  const session = await openSmtp(ready.smtp);
  await session.reply();
  await session.say('EHLO x.test');
  await session.say(`AUTH PLAIN ${Buffer.from(`\0app\0${ADMIN_KEY}`).toString('base64')}`);
  return session;
}

it(`loses no acknowledged message and breaks off no request at SIGTERM under load${withoutPostgres}`, async (context) => {
  if (withoutPostgres) return context.skip();
  const { database, server } = await start('1s');
  const agent = new Agent({ keepAlive: true });
  const outcomes: (number | string)[] = [];
  const accepted: string[] = [];
  /** Requests on connections that the server had not accepted when it stopped listening. */
  const unread: string[] = [];
  let refused = 0;
  let enough = () => {};
  const busy = new Promise<void>((resolve) => {
    enough = () => outcomes.length + accepted.length >= 60 && resolve();
  });

  const overHttp = async (client: number) => {
    for (let count = 0; ; count += 1) {
      const outcome = await post(server, agent, `http ${client} ${count}`);
      if (outcome === 201) accepted.push(`http ${client} ${count}`);
      if (outcome === 'ECONNRESET') unread.push(`http ${client} ${count}`);
      else outcomes.push(outcome);
      enough();
      // The server has stopped listening.
      if (outcome === 'ECONNREFUSED') return;
    }
  };
  const overSmtp = async (client: number) => {
    const session = await loggedIn(server);
    for (let count = 0; ; count += 1) {
      const subject = `smtp ${client} ${count}`;
      const replies: string[] = [];
      for (const line of ['MAIL FROM:<a@x.test>', 'RCPT TO:<b@x.test>', 'DATA', `Subject: ${subject}\r\n\r\nHi\r\n.`]) {
        replies.push((await session.say(line)) ?? '421 closed');
        if (replies.at(-1)?.startsWith('421')) break;
      }
      if (replies[3]?.startsWith('250')) accepted.push(subject);
      else {
        refused += 1;
        expect(replies.at(-1)).toMatch(/^421/);
        return;
      }
      enough();
    }
  };
  const clients = [0, 1, 2, 3].flatMap((client) => [overHttp(client), overSmtp(client)]);
  await busy;
  expect(await server.stop('SIGTERM')).toBe(0);
  await Promise.all(clients);

  expect(new Set(outcomes)).toEqual(new Set([201, 'ECONNREFUSED']));
  expect(refused).toBe(4);
  const stored = await postgres.query('SELECT subject FROM emails', new URL(database).pathname.slice(1));
  const subjects = new Set(stored.map(({ subject }) => subject));
  expect(accepted.filter((subject) => !subjects.has(subject))).toEqual([]);
  expect(unread.filter((subject) => subjects.has(subject))).toEqual([]);
  expect(JSON.parse(server.log.at(-1) ?? '')).toMatchObject({ level: 'info', msg: 'stopped' });
});

it(`finishes a message under way, and refuses other commands with 421${withoutPostgres}`, async (context) => {
  if (withoutPostgres) return context.skip();
  const { server } = await start('0');
  const [sending, idle] = [await loggedIn(server), await loggedIn(server)];
  for (const line of ['MAIL FROM:<a@x.test>', 'RCPT TO:<b@x.test>', 'DATA']) await sending.say(line);
  sending.write('Subject: Slow\r\n\r\nfirst half\r\n');
  server.child.kill('SIGTERM');
  expect(await idle.reply()).toBe('421 4.3.2 the server is stopping; try again later');
  expect(await sending.say('second half\r\n.')).toMatch(/^250 /);
  expect(await sending.reply()).toMatch(/^421 /);
  expect(await server.exited).toBe(0);
});

it('sends the whole of a large response to a client that reads slowly', async () => {
  const directory = temporaryDirectory();
  const server = await startServe(['--data-dir', directory.path]);
  const headers = { authorization: `Bearer ${ADMIN_KEY}`, 'content-type': 'application/json' };
  // More than the buffers of a connection.
  const html = '<p>Hello</p>'.repeat(1_000_000);
  const body = JSON.stringify({ to: 'a@x.test', from: 'b@x.test', subject: 'Large', html });
  const sent = await fetch(`${server.ready.base_url}/emails`, { method: 'POST', headers, body });
  const { data } = (await sent.json()) as { data: { id: string } };
  const reading = request(`${server.ready.base_url}/emails/${data.id}`, { headers }).end();
  const [response] = (await once(reading, 'response')) as [IncomingMessage];
  server.child.kill('SIGTERM');
  const refuses = () =>
    fetch(server.ready.base_url).then(
      () => false,
      () => true,
    );
  await expect.poll(refuses).toBe(true);
  let received = 0;
  for await (const chunk of response) received += chunk.length;
  expect(received).toBe(Number(response.headers['content-length']));
  expect(await server.exited).toBe(0);
  directory.remove();
});

it(`reports that it is not ready before it stops listening, and ends at once at a second signal${withoutPostgres}`, async (context) => {
  if (withoutPostgres) return context.skip();
  const { server } = await start('1m');
  server.child.kill('SIGTERM');
  await server.logged(({ msg }) => msg === 'stopping');
  const response = await fetch(new URL('/readyz', server.ready.base_url));
  expect([response.status, response.headers.get('connection')]).toEqual([503, 'close']);
  expect((await fetch(new URL('/healthz', server.ready.base_url))).status).toBe(200);
  server.child.kill('SIGTERM');
  await server.exited;
  expect(server.child.signalCode).toBe('SIGTERM');
});
