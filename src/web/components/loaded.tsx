import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { describeFailure } from '../api/failures.js';
import { FailureView } from './failure-view.js';
import { Loading } from './loading.js';

interface Props<Data> {
  query: UseQueryResult<Data>;
  children(data: Data): ReactNode;
}

/** Shows what a query returned, that it is loading, or why it failed. */
export function Loaded<Data>({ query, children }: Props<Data>) {
  if (query.data !== undefined) return children(query.data);
  if (!query.error) return <Loading />;
  return <FailureView {...describeFailure(query.error)} onRetry={() => void query.refetch()} />;
}
