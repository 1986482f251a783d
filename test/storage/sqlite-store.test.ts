import { join } from 'node:path';
import { openSqliteStore } from '../../src/storage/sqlite/store.js';
import { temporaryDirectory } from '../support/cli/binary.js';
import { storeConformance } from './store-conformance.js';

storeConformance('the SQLite store in a file', { shared: true }, () => {
  const directory = temporaryDirectory();
  return {
    open: () => openSqliteStore({ file: join(directory.path, 'mail.db') }),
    remove: directory.remove,
  };
});

storeConformance('the SQLite store in memory', { shared: false }, () => ({
  open: () => openSqliteStore('memory'),
  remove: () => {},
}));
