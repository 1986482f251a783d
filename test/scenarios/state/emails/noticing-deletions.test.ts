import { expect, it } from 'vitest';
import { deleteBatches } from '../../../../src/core/mail/deletion.js';
import { tailEvents } from '../../../../src/core/streams/event-tail.js';
import { openSqliteStore } from '../../../../src/storage/sqlite/store.js';
import { emailOf } from '../../../storage/records.js';

it('an event stream notifies its readers when emails are deleted', async () => {
  const store = openSqliteStore('memory');
  await store.write((tx) => tx.emails.insert(emailOf('msg_1'), [], []));
  const stopping = new AbortController();
  const tail = tailEvents(store, 0, { signal: stopping.signal, idle: () => () => {} });
  expect(await tail.next()).toEqual({ done: false, value: undefined });

  const notified = tail.next();
  expect(await deleteBatches(store, [['msg_1']])).toBe(1);
  expect(await notified).toEqual({ done: false, value: undefined });

  stopping.abort();
  expect(await tail.next()).toEqual({ done: true, value: undefined });
  await store.close();
});
