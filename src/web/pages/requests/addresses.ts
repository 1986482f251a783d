import { queryOf } from '../../api/site.js';

/** Addresses of the request log, below /inbox. */

export interface RequestFilter {
  method: string;
  status: string;
  /** A part of the path, or a pattern with `*`. */
  path: string;
  /** Whether the reads of svc's own commands are listed. */
  all: boolean;
}

/** Returns the filter of an address. */
export function readFilter(parameters: URLSearchParams): RequestFilter {
  return {
    method: parameters.get('method') ?? '',
    status: parameters.get('status') ?? '',
    path: parameters.get('path') ?? '',
    all: parameters.get('all') === 'true',
  };
}

/** Returns the part of an address that keeps a filter. */
export function suffixOf({ method, status, path, all }: RequestFilter): string {
  return queryOf({ method, status, path, all: all ? 'true' : '' });
}
