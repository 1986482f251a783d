import { useInfiniteQuery } from '@tanstack/react-query';
import { RotateCw } from 'lucide-react';
import { useState } from 'react';
import { useLocation, useSearchParams } from 'wouter';
import { CALL_MS } from '../../../../client/time-limit.js';
import { type EventType, eventTypes } from '../../../../contract/vocabulary/event-types.js';
import { useControl, useControlChange, useInbox } from '../../../api/calls.js';
import { Button } from '../../../components/button.js';
import { ConfirmAction } from '../../../components/dialog.js';
import { SelectField } from '../../../components/form/field.js';
import { plural } from '../../../components/format.js';
import { Section } from '../../../components/page/page.js';
import { EmptyState, Loaded } from '../../../components/states.js';
import { type DeliveryFilter, deliveriesPath, FAILED } from '../addresses.js';
import type { DeliverySummary, Webhook } from '../subscriptions/webhook-form.js';
import styles from './deliveries.module.css';
import { DeliveryTable } from './delivery-table.js';

const STATES = ['pending', 'succeeded', 'failed'];

/** The deliveries of all webhooks or of one, with filters that the address keeps. */
export function Deliveries({ webhooks }: { webhooks: readonly Webhook[] }) {
  const [parameters] = useSearchParams();
  const filter: DeliveryFilter = {
    webhook: parameters.get('webhook') ?? undefined,
    state: parameters.get('state') ?? undefined,
    event: parameters.get('event') ?? undefined,
  };
  const found = useDeliveries(filter);
  const isFiltered = deliveriesPath(filter) !== deliveriesPath({});
  return (
    <Section title="Deliveries" actions={<ReplayFailed />}>
      {(isFiltered || found.total > 0) && <Filters filter={filter} webhooks={webhooks} />}
      <Loaded query={found}>
        {(deliveries) => (
          <Results deliveries={deliveries} found={found} isFiltered={isFiltered} isUsed={webhooks.length > 0} />
        )}
      </Loaded>
    </Section>
  );
}

function Filters({ filter, webhooks }: { filter: DeliveryFilter; webhooks: readonly Webhook[] }) {
  const [, navigate] = useLocation();
  const set = (change: DeliveryFilter) => navigate(deliveriesPath({ ...filter, ...change }), { replace: true });
  const isListed = filter.webhook === undefined || webhooks.some(({ id }) => id === filter.webhook);
  return (
    <div className={styles.filters}>
      <SelectField
        label="State"
        value={filter.state ?? ''}
        onChange={({ target }) => set({ state: target.value || undefined })}
      >
        <option value="">Any state</option>
        {STATES.map((state) => (
          <option key={state}>{state}</option>
        ))}
      </SelectField>
      <SelectField
        label="Event"
        value={filter.event ?? ''}
        onChange={({ target }) => set({ event: target.value || undefined })}
      >
        <option value="">Any event</option>
        {eventTypes.map((type) => (
          <option key={type}>{type}</option>
        ))}
      </SelectField>
      <SelectField
        label="Webhook"
        value={filter.webhook ?? ''}
        onChange={({ target }) => set({ webhook: target.value || undefined })}
      >
        <option value="">Any webhook</option>
        {webhooks.map(({ id, url }) => (
          <option key={id} value={id}>
            {url}
          </option>
        ))}
        {!isListed && <option value={filter.webhook}>{filter.webhook}</option>}
      </SelectField>
    </div>
  );
}

interface ResultsProps {
  deliveries: readonly DeliverySummary[];
  found: ReturnType<typeof useDeliveries>;
  isFiltered: boolean;
  /** Whether a webhook exists. */
  isUsed: boolean;
}

function Results({ deliveries, found, isFiltered, isUsed }: ResultsProps) {
  const [, navigate] = useLocation();
  const { total, more, isReadingMore } = found;
  if (deliveries.length === 0 && !isFiltered) {
    return (
      <EmptyState title="No deliveries yet">
        <p>{isUsed ? 'Send an email, or trigger an event.' : 'They appear once a webhook receives an event.'}</p>
      </EmptyState>
    );
  }
  if (deliveries.length === 0) {
    return (
      <EmptyState title="No deliveries match">
        <Button onClick={() => navigate(deliveriesPath({}))}>Show all deliveries</Button>
      </EmptyState>
    );
  }
  return (
    <>
      <p role="status" className="visually-hidden">
        {total === 1 ? '1 delivery' : `${total} deliveries`}
      </p>
      <DeliveryTable deliveries={deliveries} />
      {more && (
        <div>
          <Button aria-disabled={isReadingMore} onClick={more}>
            Show older deliveries
          </Button>
        </div>
      )}
    </>
  );
}

/** Sends all failed deliveries again, after a confirmation that names their number. */
function ReplayFailed() {
  const { data } = useControl('deliveries.list', { query: { ...FAILED, limit: 1 } });
  const replay = useControlChange('deliveries.replay');
  const [isAsking, setAsking] = useState(false);
  const failed = data?.pagination.total ?? 0;
  return (
    <div className={styles.replay}>
      <span role="status">
        {replay.isPending && 'Replaying…'}
        {replay.data && `Replayed ${replay.data.attempts.length} of the failed deliveries.`}
      </span>
      <Button icon={RotateCw} disabled={failed === 0 || replay.isPending} onClick={() => setAsking(true)}>
        Replay all failed
      </Button>
      {isAsking && (
        <ConfirmAction
          title="Replay all failed deliveries?"
          action="Replay"
          kind="primary"
          onConfirm={() => replay.mutateAsync({ body: { failed: true } })}
          onClose={() => setAsking(false)}
        >
          <p>
            {plural(failed, 'request')} of all webhooks will be sent again, as new deliveries. Paused webhooks are
            skipped.
          </p>
        </ConfirmAction>
      )}
    </div>
  );
}

/** Number of deliveries that are read at once. */
const PAGE = 50;

/** Reads the newest deliveries that match a filter, and older ones on demand. */
function useDeliveries({ webhook, state, event }: DeliveryFilter) {
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
