import { once } from 'node:events';
import { connect } from 'node:net';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { deliver, dotStuffed, openSmtp, queuedId } from '../../support/mail/smtp-session.js';
import { startApp } from '../../support/servers/app.js';
import { expectKept, expectListed } from './mail-oracle.js';

const RUNS = Number(process.env.SVC_FUZZ_RUNS ?? 200);
const SEED = fc.readConfigureGlobal().seed ?? 0;
const RUNS_OF_A_SERVER = 1_000;
const ANYWHERE = { host: '127.0.0.1', port: 0 };
/** Ends a message, a login or nothing, and then the session. */
const FAREWELL = '\r\n.\r\nQUIT\r\n';

const argument = fc.oneof(
  fc.constantFrom(
    '',
    'client.example.test',
    '<app@example.test>',
    '<>',
    '<ada@example.test> SIZE=12',
    '<ada@example.test> SIZE=99999999999',
    '<ada@example.test> BODY=8BITMIME SMTPUTF8',
    '<"a b"@example.test>',
    '<@relay.test:ada@example.test>',
    '<ada@[127.0.0.1]>',
    '<ada@example.test',
    '<ü@exämple.test>',
    'PLAIN',
    'PLAIN AGFkYQBzZWNyZXQ=',
    'LOGIN',
    'CRAM-MD5',
    '*',
    '='.repeat(500),
    'a'.repeat(3_000),
  ),
  fc.uint8Array({ maxLength: 80 }).map((bytes) =>
    Buffer.from(bytes)
      .toString('latin1')
      .replace(/[\r\n]/g, ''),
  ),
);

const command = fc
  .tuple(
    fc.constantFrom(
      ...[
        'HELO ',
        'EHLO ',
        'LHLO ',
        'MAIL FROM:',
        'RCPT TO:',
        'mail from: ',
        'DATA',
        'BDAT 5 LAST',
        'RSET',
        'NOOP ',
        'VRFY ',
      ],
      ...['EXPN ', 'HELP', 'STARTTLS', 'AUTH ', 'XCLIENT ADDR=10.0.0.1', 'XFORWARD ', 'GET / HTTP/1.1', 'QUIT ', ''],
    ),
    argument,
  )
  .map(([verb, rest]) => `${verb}${rest}`);

/** Commands that lead to DATA. */
const likely = fc.constantFrom(
  'EHLO c.test',
  'MAIL FROM:<app@example.test>',
  'RCPT TO:<ada@example.test>',
  'DATA',
  'RSET',
);

const anyOrder = fc.array(fc.oneof({ weight: 3, arbitrary: likely }, { weight: 2, arbitrary: command }), {
  minLength: 1,
  maxLength: 14,
});

/** Generates a transaction that may reach DATA, among other commands. */
const inOrder = fc
  .tuple(fc.array(command, { maxLength: 3 }), fc.array(command, { maxLength: 3 }))
  .map(([before, after]) => [
    ...before,
    ...['RSET', 'EHLO c.test', 'MAIL FROM:<app@example.test>', 'RCPT TO:<ada@example.test>', 'DATA'],
    ...after,
  ]);

const script = fc.oneof({ weight: 3, arbitrary: anyOrder }, { weight: 1, arbitrary: inOrder });

const body = fc
  .array(fc.oneof(fc.constantFrom('.', '..', '.x', '', 'Subject: x', 'QUIT', 'DATA'), argument), { maxLength: 6 })
  .map((lines) => Buffer.from(lines.map((line) => `${line}\r\n`).join(''), 'latin1'));

describe('SMTP sessions of any commands', () => {
  for (let done = 0; done < RUNS; done += RUNS_OF_A_SERVER) {
    const numRuns = Math.min(RUNS_OF_A_SERVER, RUNS - done);
    const seed = SEED + done;

    it(`answers ${numRuns} sessions, and keeps what it acknowledges (seed ${seed})`, async () => {
      const app = await startApp({ plan: 'none' });
      const { smtp } = await app.listen({ http: ANYWHERE, smtp: ANYWHERE });
      const ids: string[] = [];
      const inTurn = fc.asyncProperty(script, body, async (commands, message) => {
        for (const [id, bytes] of await converse(smtp, commands, message)) {
          ids.push(id);
          await expectKept(app, id, bytes);
        }
      });
      const cuts = fc.array(fc.nat(4_000), { maxLength: 4 });
      const atOnce = fc.asyncProperty(script, body, cuts, async (commands, message, at) => {
        const text = [...commands, dotStuffed(message).toString('latin1')].join('\r\n') + FAREWELL;
        for (const line of await repliesTo(smtp, pieces(Buffer.from(text, 'latin1'), at))) {
          expect(line).toMatch(/^[2345]\d\d[ -]/);
          ids.push(...[queuedId(line) ?? []].flat());
        }
      });

      await fc.assert(inTurn, { numRuns: Math.ceil(numRuns / 2), seed });
      await fc.assert(atOnce, { numRuns: Math.floor(numRuns / 2), seed });

      // The next client is served as usual.
      const bytes = Buffer.from('Subject: still here\r\n\r\nhi\r\n');
      const reply = await deliver(smtp, bytes);
      ids.push(queuedId(reply) ?? `none: ${reply}`);
      await app.drain();
      await expectListed(app, ids);
      expect(ids.length).toBeGreaterThan(numRuns / 20);
      await app.closeClean();
    });
  }
});

/** Sends a command after the reply to the one before. Returns what was acknowledged, with the bytes of each. */
async function converse(
  address: { host: string; port: number },
  commands: readonly string[],
  message: Buffer,
): Promise<[id: string, bytes: Buffer][]> {
  const session = await openSmtp(address);
  const acknowledged: [string, Buffer][] = [];
  let reply = await session.reply();
  for (const each of commands) {
    session.write(Buffer.from(`${each}\r\n`, 'latin1'));
    reply = await session.reply();
    if (reply?.startsWith('354')) {
      session.write(dotStuffed(message));
      reply = await session.reply();
      const id = queuedId(reply);
      if (id) acknowledged.push([id, message]);
    }
    if (reply === undefined) break;
    for (const line of reply.split('\n')) expect(line).toMatch(/^[2345]\d\d[ -]/);
  }
  session.socket.destroy();
  return acknowledged;
}

/** Writes all pieces without waiting, and returns the lines of the replies until the server closes. */
async function repliesTo(address: { host: string; port: number }, all: readonly Buffer[]): Promise<string[]> {
  const socket = connect({ ...address, noDelay: true });
  const received: Buffer[] = [];
  socket.on('data', (chunk) => received.push(chunk));
  // A server that has closed the session does not read the rest.
  socket.on('error', () => {});
  const closed = once(socket, 'close');
  for (const piece of all) socket.write(piece);
  await closed;
  return Buffer.concat(received).toString('latin1').split('\r\n').filter(Boolean);
}

function pieces(bytes: Buffer, cuts: readonly number[]): Buffer[] {
  const places = [0, ...cuts.map((cut) => cut % bytes.length), bytes.length].sort((a, b) => a - b);
  return places.slice(1).map((end, index) => bytes.subarray(places[index], end));
}
