import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { tailEvents } from '../../src/core/streams/event-tail.js';
import { openSqliteStore } from '../../src/storage/sqlite/store.js';
import { temporaryDirectory } from '../support/cli/binary.js';
import { apiKeyOf, eventOf } from './records.js';

let directory: ReturnType<typeof temporaryDirectory>;

beforeEach(() => {
  directory = temporaryDirectory();
});
afterEach(() => directory.remove());

it('a reader that pauses misses no event of another process between its own', async () => {
  const file = join(directory.path, 'mail.db');
  const [own, other] = [openSqliteStore({ file }), openSqliteStore({ file })];
  const ending = new AbortController();
  const events = tailEvents(own, 0, { signal: ending.signal, idle: () => () => {} });
  expect((await events.next()).value).toBeUndefined();

  for (const [store, id] of [
    [own, 'evt_1'],
    [other, 'evt_2'],
    [own, 'evt_3'],
    [other, 'evt_4'],
  ] as const) {
    await store.write((tx) => tx.events.append(eventOf(id), undefined));
  }
  await own.write((tx) => tx.events.append(eventOf('evt_5'), undefined));

  const read: (string | undefined)[] = [];
  while (read.length < 5) read.push((await events.next()).value?.id);
  expect(read).toEqual(['evt_1', 'evt_2', 'evt_3', 'evt_4', 'evt_5']);

  ending.abort();
  await events.return(undefined);
  await Promise.all([own.close(), other.close()]);
});

it('a key that another process revokes is unknown from the next commit on', async () => {
  const file = join(directory.path, 'mail.db');
  const [own, other] = [openSqliteStore({ file }), openSqliteStore({ file })];
  const find = async () => (await own.read.apiKeys.findByHash('hash of key_1'))?.id;
  const commit = () => own.write(async () => {});
  await own.write((tx) => tx.apiKeys.insert(apiKeyOf('key_1')));
  expect(await find()).toBe('key_1');
  await commit();
  expect(await find()).toBe('key_1');

  await other.write((tx) => tx.apiKeys.delete('key_1'));
  await commit();

  expect(await find()).toBeUndefined();
  await Promise.all([own.close(), other.close()]);
});
