/** Exports the storage's functions for `svc doctor`. */
export { checkDriver } from './sqlite/files/connect.js';
export { adviceOf, causeOfOpening, DAMAGED_ADVICE, reasonOf } from './sqlite/files/disk-errors.js';
export { type DatabaseReport, inspectDatabase, repairDatabase } from './sqlite/repair.js';
