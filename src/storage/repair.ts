/** Exports the storage's functions for `svc doctor`. */
export { DAMAGED_ADVICE } from './sqlite/files/disk-errors.js';
export { type DatabaseReport, inspectDatabase, repairDatabase } from './sqlite/repair.js';
