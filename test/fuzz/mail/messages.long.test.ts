import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { dotStuffed, openSmtp, queuedId, type SmtpSession } from '../../support/mail/smtp-session.js';
import { startApp } from '../../support/servers/app.js';
import { expectKept, expectListed } from './mail-oracle.js';
import { mutated } from './mutations.js';
import { seedMessages } from './seed-messages.js';

const RUNS = Number(process.env.SVC_FUZZ_RUNS ?? 200);
const SEED = fc.readConfigureGlobal().seed ?? 0;
/** The number of messages that one server gets: a new one starts with an empty database. */
const RUNS_OF_A_SERVER = 1_000;
const ANYWHERE = { host: '127.0.0.1', port: 0 };

describe('mutated messages over SMTP', () => {
  const messages = seedMessages();
  const unread = new Map<string, number>();

  for (let done = 0; done < RUNS; done += RUNS_OF_A_SERVER) {
    const numRuns = Math.min(RUNS_OF_A_SERVER, RUNS - done);

    it(`keeps ${numRuns} unchanged, of ${messages.length} (seed ${SEED + done})`, async () => {
      const app = await startApp({ plan: 'none' });
      const { smtp } = await app.listen({ http: ANYWHERE, smtp: ANYWHERE });
      const ids: string[] = [];
      const session = await greeted(smtp);
      const property = fc.asyncProperty(mutated(messages), async (message) => {
        const bytes = asSent(message);
        const id = await deliver(session, bytes);
        ids.push(id);
        const error = await expectKept(app, id, bytes);
        if (error !== null) unread.set(error, (unread.get(error) ?? 0) + 1);
      });

      await fc.assert(property, { numRuns, seed: SEED + done });

      session.socket.end();
      await app.drain();
      await expectListed(app, ids);
      await app.closeClean();
    });
  }

  it('has parsed nearly all of them', () => {
    const total = [...unread.values()].reduce((sum, count) => sum + count, 0);
    // Nothing can be read of a message without a header section.
    expect(total, JSON.stringify([...unread])).toBeLessThan(RUNS / 8 + 10);
  });
});

/** Ends the message with a line end, as SMTP requires. */
function asSent(message: Buffer): Buffer {
  const text = message.toString('latin1');
  return Buffer.from(text === '' || text.endsWith('\r\n') ? text : `${text}\r\n`, 'latin1');
}

async function greeted(address: { host: string; port: number }): Promise<SmtpSession> {
  const session = await openSmtp(address);
  await session.reply();
  await session.say('EHLO client.example.test');
  return session;
}

async function deliver(session: SmtpSession, bytes: Buffer): Promise<string> {
  await session.say('MAIL FROM:<app@example.test>');
  await session.say('RCPT TO:<ada@example.test>');
  expect(await session.say('DATA')).toMatch(/^354 /);
  session.write(dotStuffed(bytes));
  const reply = await session.reply();
  const id = queuedId(reply);
  expect(id, reply).toBeDefined();
  return id!;
}
