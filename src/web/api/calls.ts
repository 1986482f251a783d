import {
  type Query,
  type QueryClient,
  type UseQueryResult,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import { createContext, useContext, useEffect, useRef, useSyncExternalStore } from 'react';
import type { Client } from '../../client/client.js';
import { CALL_MS } from '../../client/time-limit.js';
import type { Control, ControlOperationName } from '../../contract/control/endpoints.js';
import type { Call, Result } from '../../contract/endpoint.js';
import type { OperationName, Service } from '../../contract/service/endpoints.js';
import { Follower } from './follower.js';
import type { Live } from './live.js';
import type { Session, SessionInfo } from './session.js';
import type { UndoOffer } from './undo-offer.js';

/** Calls of the server from components, cached by react-query. */

export interface Inbox {
  client: Client;
  session: Session;
  live: Live;
  undo: UndoOffer;
}

export const InboxContext = createContext<(Inbox & { info: SessionInfo }) | undefined>(undefined);

export function useInbox(): Inbox & { info: SessionInfo } {
  const inbox = useContext(InboxContext);
  if (!inbox) throw new Error('useInbox needs an InboxContext');
  return inbox;
}

/** Returns the service's time of its last response, in milliseconds since 1970. It changes when a component is drawn. */
export function useNow(): number {
  const { client } = useInbox();
  return client.now ? Date.parse(client.now) : 0;
}

interface QueryOptions {
  enabled?: boolean;
  /** Keeps showing the answer to the previous call until the next one arrives. */
  keepPrevious?: boolean;
}

/** The group of an operation: `emails` of `emails.search`. Changes of the server's data invalidate whole groups. */
const groupOf = (name: string) => name.split('.')[0] as string;

/** Calls with effects elsewhere only. */
const WITHOUT_CHANGES: readonly string[] = ['emails.check_links'];

/** Changes whose results the page of the clock shows when it is opened again. */
const SHOWN_LATER: readonly string[] = ['clock.advance', 'clock.update'];

/** Calls and results of changes may have secrets and attachments: they are gone with the component that shows them. */
const FORGOTTEN = { gcTime: 0 };

/** Returns the key and the function of a query that calls the control API. */
export function controlQuery<Name extends ControlOperationName>(
  client: Client,
  name: Name,
  call: Call<Control[Name]>,
): { queryKey: unknown[]; queryFn(context: { signal: AbortSignal }): Promise<Result<Control[Name]>> } {
  return {
    queryKey: [groupOf(name), name, call],
    queryFn: ({ signal }) => client.control(name, call, { signal, timeoutMs: CALL_MS }),
  };
}

/** Reads from the control API. */
export function useControl<Name extends ControlOperationName>(
  name: Name,
  call: Call<Control[Name]>,
  { enabled = true, keepPrevious = false }: QueryOptions = {},
): UseQueryResult<Result<Control[Name]>> {
  const { client } = useInbox();
  return useQuery({
    ...controlQuery(client, name, call),
    enabled,
    ...(keepPrevious && { placeholderData: (previous: unknown) => previous as never }),
  }) as UseQueryResult<Result<Control[Name]>>;
}

/** Reads from the service's API. */
export function useService<Name extends OperationName>(
  name: Name,
  call: Call<Service[Name]>,
  { enabled = true, keepPrevious = false }: QueryOptions = {},
): UseQueryResult<Result<Service[Name]>> {
  const { client } = useInbox();
  return useQuery({
    queryKey: [groupOf(name), `service ${name}`, call],
    queryFn: ({ signal }) => client.call(name, call, { signal }),
    enabled,
    ...(keepPrevious && { placeholderData: (previous: unknown) => previous as never }),
  }) as UseQueryResult<Result<Service[Name]>>;
}

/** Returns a call of the control API that changes something. Its group is read again afterwards. */
export function useControlChange<Name extends ControlOperationName>(name: Name, ...alsoChanged: string[]) {
  const { client } = useInbox();
  const queries = useQueryClient();
  return useMutation({
    mutationKey: [groupOf(name)],
    mutationFn: (call: Call<Control[Name]>) => client.control(name, call),
    ...(!SHOWN_LATER.includes(name) && FORGOTTEN),
    onSettled: () => {
      if (!WITHOUT_CHANGES.includes(name)) void invalidate(queries, [groupOf(name), ...alsoChanged]);
    },
  });
}

/** Returns a call of the service's API that changes something. Its group is read again afterwards. */
export function useServiceChange<Name extends OperationName>(name: Name, ...alsoChanged: string[]) {
  const { client } = useInbox();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (call: Call<Service[Name]>) => client.call(name, call),
    ...FORGOTTEN,
    onSettled: () => void invalidate(queries, [groupOf(name), ...alsoChanged]),
  });
}

/**
 * Returns whether the content of an email is all there. It never changes then, and may have megabytes; what changes is
 * read with `emails.inspect`.
 */
function isComplete(content: unknown): boolean {
  return ((content as Result<Control['emails.captured']> | undefined)?.headers.length ?? 0) > 0;
}

/**
 * Returns the function that reads groups of queries again, or all of them after each connection. At the first one, they
 * were just read, so content that never changes is kept.
 */
export function invalidator(
  queries: QueryClient,
): (groups: Iterable<string> | 'all', emails?: ReadonlySet<string>) => Promise<void> {
  let isFirst = true;
  return (groups, emails) => {
    if (groups !== 'all') return invalidate(queries, groups, emails);
    const keepsContent = isFirst;
    isFirst = false;
    return readAgain(
      queries,
      ({ queryKey: [, name], state: { data } }) => !(keepsContent && name === 'emails.captured' && isComplete(data)),
    );
  };
}

/**
 * Reads the queries of these groups again: at once if they are shown, otherwise when they are shown next. With `emails`,
 * queries of one email are read again only if it is one of these. Resolves after the reads, even if they failed.
 */
export function invalidate(
  queries: QueryClient,
  groups: Iterable<string>,
  emails?: ReadonlySet<string>,
): Promise<void> {
  const changed = new Set<unknown>(groups);
  return readAgain(queries, ({ queryKey: [group, name, call], state: { data } }) => {
    if (!changed.has(group) || (name === 'emails.captured' && isComplete(data))) return false;
    const id = group === 'emails' ? (call as { params?: { id?: string } }).params?.id : undefined;
    return id === undefined || emails === undefined || emails.has(id);
  });
}

/** Reads queries again. A first read that began before the change would be kept: it is repeated once it has ended. */
async function readAgain(queries: QueryClient, predicate: (query: Query) => boolean): Promise<void> {
  const reading = queries.getQueryCache().findAll({ predicate, fetchStatus: 'fetching' });
  const first = new Set(reading.filter(({ state }) => state.data === undefined));
  await queries.invalidateQueries({ predicate });
  if (first.size > 0) await queries.invalidateQueries({ predicate: (query) => first.has(query) });
}

/**
 * Reads these groups again whenever the view is opened and its window gets the focus. For data that commands may change
 * without an event of the server.
 */
export function useReadOnFocus(...groups: string[]): void {
  const queries = useQueryClient();
  const names = groups.join(' ');
  useEffect(() => {
    const read = () => void invalidate(queries, names.split(' '));
    read();
    window.addEventListener('focus', read);
    return () => window.removeEventListener('focus', read);
  }, [queries, names]);
}

const neverChanges = () => () => {};

/** Calls back each time the page is connected to its server again. Before the sign-in, it has no connection. */
export function useReconnected(callBack: () => void): void {
  const live = useContext(InboxContext)?.live;
  // It may connect before the effects of a component run.
  const isLive = useSyncExternalStore(live?.subscribe ?? neverChanges, () => live?.state === 'live');
  const latest = useRef(callBack);
  latest.current = callBack;
  const wasLive = useRef(isLive);
  useEffect(() => {
    if (isLive && !wasLive.current) latest.current();
    wasLive.current = isLive;
  }, [isLive]);
}

/** The streams of logs, each with the group of calls that it changes. The server's events contain neither. */
export const groups = { 'requests.stream': 'requests', 'smtp-sessions.stream': 'smtp-sessions' } as const;

/** Reads a log again when it gets an entry, while the component is shown. */
export function useLiveLog(stream: keyof typeof groups): void {
  const { client, live } = useInbox();
  const isLive = useSyncExternalStore(live.subscribe, () => live.state === 'live');
  useEffect(() => {
    if (!isLive) return;
    const report = () => live.reportChange([groups[stream]]);
    const follower = new Follower({
      open: (signal) => client.stream(stream, { query: {} }, signal),
      onConnect: report,
      // A comment only shows that the connection lives.
      onItem: (item) => item !== 'comment' && report(),
    });
    follower.start();
    return () => follower.stop();
  }, [stream, client, live, isLive]);
}
