import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, expect, it } from 'vitest';
import { temporaryDirectory } from '../../support/cli/binary.js';
import { startApp, type TestApp } from '../../support/servers/app.js';
import { startRelayServer } from '../../support/servers/relay-server.js';

/** Tests releases that the relay accepts while another program has locked the database. */

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

/** Starts a relay that locks the database before it accepts a message. */
async function start(): Promise<{ app: TestApp; taken: string[]; unlock(): void }> {
  const directory = temporaryDirectory();
  closers.push(async () => directory.remove());
  const file = join(directory.path, 'mail.db');
  const taken: string[] = [];
  let locked: Database.Database | undefined;
  const unlock = () => {
    locked?.close();
    locked = undefined;
  };
  const relay = await startRelayServer({
    onData(stream, { envelope }, callback) {
      stream.resume().once('end', () => {
        taken.push(envelope.rcptTo.map(({ address }) => address).join());
        if (!locked) {
          locked = new Database(file);
          locked.exec('BEGIN IMMEDIATE');
        }
        callback(null, 'taken');
      });
    },
  });
  closers.push(() => relay.close());
  const app = await startApp({
    relay: relay.relay({ allow: ['*@corp.test'], auto: ['auto@corp.test'] }),
    storage: { file },
  });
  closers.push(() => app.close());
  closers.push(async () => unlock());
  await app.listen({ http: { host: '127.0.0.1', port: 0 }, smtp: { host: '127.0.0.1', port: 0 } });
  return { app, taken, unlock };
}

const send = async (app: TestApp, to: string) =>
  (await app.call('POST', '/v1/emails', { to, from: 'shop@example.test', subject: 'Hi', html: 'Hi' })).json.data
    .id as string;

const releasesOf = async (app: TestApp, id: string) => (await app.read(`/_svc/emails/${id}`)).releases;

it('sends an automatic release once, and records it when the database can be written again', async () => {
  const { app, taken, unlock } = await start();
  const id = await send(app, 'auto@corp.test');
  await expect.poll(() => app.faults.map(String)).toContainEqual(expect.stringContaining('locked'));
  // The lease has ended meanwhile.
  app.clock.systemNow = () => Date.now() + 120_000;
  unlock();

  await expect.poll(() => releasesOf(app, id)).toMatchObject([{ error: null }]);
  await app.drain();

  expect(taken).toEqual(['auto@corp.test']);
});

it('reports that a release by hand was sent', async () => {
  const { app, taken, unlock } = await start();
  const id = await send(app, 'ada@corp.test');

  const { status, json } = await app.call('POST', `/_svc/emails/${id}/release`, {});
  unlock();

  expect([status, json.error]).toEqual([
    500,
    expect.objectContaining({
      message: expect.stringMatching(
        / accepted the message: 250 .*taken\. The release could not be recorded: .*locked/,
      ),
      hint: expect.stringContaining('Do not release it again.'),
    }),
  ]);
  expect([taken, await releasesOf(app, id)]).toEqual([['ada@corp.test'], []]);
});
