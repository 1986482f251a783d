import { useInfiniteQuery } from '@tanstack/react-query';
import { CALL_MS } from '../../../../client/time-limit.js';
import type { EventType } from '../../../../contract/vocabulary/event-types.js';
import { useInbox } from '../../../api/calls.js';
import { type DeliveryFilter, FAILED } from '../addresses.js';
import type { DeliverySummary } from '../types.js';

/** Number of deliveries that are read at once. */
const PAGE = 50;

/** Reads the newest deliveries that match a filter, and older ones on demand. */
export function useDeliveries({ webhook, state, event }: DeliveryFilter) {
  const { client } = useInbox();
  const filter = {
    ...(webhook && { webhook }),
    ...(state && { state: state as DeliverySummary['state'] }),
    ...(state === 'failed' && FAILED),
    ...(event && { event: event as EventType }),
  };
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery({
    queryKey: ['deliveries', 'pages', filter],
    queryFn: ({ pageParam, signal }) =>
      client.control(
        'deliveries.list',
        { query: { ...filter, limit: PAGE, offset: pageParam } },
        { signal, timeoutMs: CALL_MS },
      ),
    initialPageParam: 0,
    getNextPageParam: ({ pagination: { has_more, offset, limit } }) => (has_more ? offset + limit : undefined),
  });
  // A delivery moves to the next page when a new one arrives between two reads.
  const byId = new Map(data?.pages.flatMap(({ deliveries }) => deliveries.map((each) => [each.id, each] as const)));
  return {
    data: data && [...byId.values()],
    total: data?.pages.at(-1)?.pagination.total ?? 0,
    error,
    refetch,
    /** Reads older deliveries; undefined after the oldest. */
    more: hasNextPage ? () => void fetchNextPage() : undefined,
    isReadingMore: isFetchingNextPage,
  };
}
