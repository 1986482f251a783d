/** What `svc doctor` needs of the storage. */
export { DAMAGED_ADVICE } from './storage/sqlite/disk-errors.js';
export { type DatabaseReport, inspectDatabase, repairDatabase } from './storage/sqlite/repair.js';
