import { OWN_READS_KEPT, REQUESTS_KEPT } from '../../contract/vocabulary/limits.js';
import type { NewRequest, RequestFilter, RequestRecord } from '../model/requests.js';
import { BufferedLog, type LogDeps } from './buffered-log.js';

const WRITE_AFTER_MS = 100;

export type RequestLog = BufferedLog<NewRequest, RequestFilter, RequestRecord>;

/** Creates the log of requests to the service. */
export function createRequestLog(deps: LogDeps): RequestLog {
  return new BufferedLog(deps, {
    writeAfterMs: WRITE_AFTER_MS,
    writeAfterFollowedMs: WRITE_AFTER_MS,
    trimAfter: 1_000,
    waitingMax: REQUESTS_KEPT,
    append: (tx, requests) => tx.requests.append(requests),
    trim: (tx) => tx.requests.trim(REQUESTS_KEPT, OWN_READS_KEPT),
    rowsOf: (reads) => reads.requests,
    lastOf: ({ lastRequest }) => lastRequest,
  });
}
