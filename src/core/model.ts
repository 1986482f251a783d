/** Defines the stored records. Instants are milliseconds since 1970 on the service's clock. */

export * from './model/contents.js';
export * from './model/deliveries.js';
export * from './model/emails.js';
export * from './model/events.js';
export * from './model/jobs.js';
export * from './model/pages.js';
export * from './model/received.js';
export * from './model/requests.js';
export * from './model/resources.js';
