import { openSqliteStore } from '../../src/storage/sqlite/store.js';
import { searchCases } from './stored-cases.js';

searchCases(() => openSqliteStore('memory'));
