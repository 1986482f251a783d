import { expect, it } from 'vitest';
import { resetServer } from '../../src/core/handlers/control/state.js';
import { asServiceError } from '../../src/http/response/envelope.js';
import { DAMAGED_ADVICE, named, unavailable } from '../../src/storage/sqlite/disk-errors.js';

/** Only the store's errors name its files; the core and the HTTP layer pass the advice on. */

it('a reset on a full disk gives the advice of the store', async () => {
  const full = unavailable(new Error('database or disk is full'));
  const context = {
    store: { write: () => Promise.reject(full) },
    parsePending: async () => {},
    requestLog: { whileEmptied: (change: () => Promise<void>) => change() },
    smtpSessions: { whileEmptied: (change: () => Promise<void>) => change() },
    key: { workspace: null },
  } as unknown as Parameters<typeof resetServer>[1];

  const reset = resetServer({} as Parameters<typeof resetServer>[0], context);

  await expect(reset).rejects.toMatchObject({
    message: 'Cannot write to the database: database or disk is full. Nothing was deleted.',
    hint: 'Free some disk space and try again. If you cannot free any, stop the server and delete mail.db, mail.db-wal and mail.db-shm.',
  });
});

it('an answer about a damaged file gives the advice that svc doctor gives', () => {
  const damaged = named(Object.assign(new Error('malformed'), { code: 'SQLITE_CORRUPT' }));

  const answer = asServiceError(damaged, {} as Parameters<typeof asServiceError>[1]);

  expect(answer).toMatchObject({ message: 'The database is damaged: malformed.', hint: DAMAGED_ADVICE });
});
