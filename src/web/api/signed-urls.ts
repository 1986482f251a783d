import { CONTENT_URL_MINUTES } from '../../contract/vocabulary/inbox.js';
import { MINUTE_MS } from '../../contract/vocabulary/limits.js';

const USED_MS = (CONTENT_URL_MINUTES - 1) * MINUTE_MS;

/** Options of a query for signed URLs of content: reads new ones before they expire. */
export const untilExpiry = { staleTime: USED_MS, refetchInterval: USED_MS };
