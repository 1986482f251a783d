/** Exports the storage's functions for `svc doctor`. */

export { adviceOf, causeOfOpening, DAMAGED_ADVICE, reasonOf } from './sqlite/disk-errors.js';
export { checkDriver } from './sqlite/files/connect.js';
export { type DatabaseReport, inspectDatabase, repairDatabase } from './sqlite/repair.js';
