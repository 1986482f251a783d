import type { ControlOperations } from '../../../client/operations.js';

/** A webhook delivery with its attempts, oldest first. */
export type Delivery = ControlOperations['deliveries.get']['result'];
export type Attempt = Delivery['log'][number];
