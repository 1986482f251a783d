import type { ReactNode } from 'react';
import { describeFailure, isNotFound } from '../api/failures.js';
import { FailureView } from './failure-view.js';
import { Loading } from './loading.js';

interface Props<Data> {
  query: { data: Data | undefined; error: unknown; refetch(): unknown };
  /** Shown if the server does not have what the query reads, even if it had it before. */
  missing?: ReactNode;
  children(data: Data): ReactNode;
}

/** Shows what a query returned, that it is loading, or why it failed. */
export function Loaded<Data>({ query, missing, children }: Props<Data>) {
  if (missing !== undefined && isNotFound(query.error)) return missing;
  if (query.data !== undefined) return children(query.data);
  if (!query.error) return <Loading />;
  return <FailureView {...describeFailure(query.error)} onRetry={() => void query.refetch()} />;
}
