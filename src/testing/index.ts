/** The entry point `svc-cli/testing`: a server for tests, its captured emails, and what controls it. */

export { ApiFailure, NoControlError, UnreachableError } from '../client/failures.js';
export type * from '../client/operations.js';
export type * from '../client/service-client.js';
export type * from './api/emails.js';
export type * from './api/server.js';
export { WaitError } from './mail/wait.js';
export { startServer } from './start-server.js';
