import type { ControlOperations } from '../../../client/operations.js';
import { useControl } from '../../api/calls.js';
import type { RequestFilter } from './addresses.js';

export type LoggedRequest = ControlOperations['requests.list']['result']['requests'][number];
type Query = NonNullable<ControlOperations['requests.list']['request']['query']>;

/** Reads the newest requests that match a filter. */
export function useRequests({ method, status, path, all }: RequestFilter, limit: number) {
  return useControl(
    'requests.list',
    {
      query: {
        ...(method && { method: method as NonNullable<Query['method']> }),
        ...(status && { status }),
        ...(path && { path: path.includes('*') ? path : `*${path}*` }),
        ...(all && { all: 'true' as const }),
        limit: String(limit),
      },
    },
    { keepPrevious: true },
  );
}
