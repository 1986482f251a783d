/** What `svc doctor` needs of the storage. */
export { type DatabaseReport, inspectDatabase, repairDatabase } from './storage/sqlite/repair.js';
