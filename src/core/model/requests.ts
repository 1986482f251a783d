import type { ErrorDetail } from '../../contract/vocabulary/error-detail.js';
import type { ServiceWarning } from '../../contract/vocabulary/warnings.js';

/** A request in the request log, without its key, body and query. */
export interface NewRequest {
  id: string;
  createdAt: number;
  method: string;
  path: string;
  status: number;
  ms: number;
  keyId: string | null;
  userAgent: string | null;
  errorCode: string | null;
  errorMessage: string | null;
  /** The first invalid fields. */
  errorDetails: ErrorDetail[];
  warnings: ServiceWarning[];
}

export interface RequestRecord extends NewRequest {
  /** A number that rises with every request. Readers use it as their cursor. */
  seq: number;
}

export interface RequestFilter {
  status?: { from: number; to: number } | undefined;
  /** A path in which `*` matches any text. */
  path?: string | undefined;
  method?: string | undefined;
  /** Whether to include svc's own reads. */
  all?: boolean | undefined;
}
