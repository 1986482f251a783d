import { useIsMutating, useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { describeOffset } from '../../contract/vocabulary/durations.js';
import { controlQuery, useControl, useInbox } from './calls.js';

/** The service's clock, which may be moved or frozen. */
export interface ServiceClock {
  /** Milliseconds since 1970. It does not change by itself: see `useTick`. */
  now(): number;
  isFrozen: boolean;
  /** Whether it shows another time than the machine. */
  isMoved: boolean;
  /** Such as `2h ahead`, or `frozen`; undefined for the system time. */
  difference: string | undefined;
}

/** Milliseconds between reads of the clock while it moves. */
const MOVING_MS = 500;
const TICK_MS = 1_000;
/** How far responses may differ from the clock, because of the time they took. */
const TOLERANCE_MS = 2_000;

/** Returns whether this page moves the clock right now, which may take as long as what becomes due. */
export function useIsClockMoving(): boolean {
  return useIsMutating({ mutationKey: ['clock'] }) > 0;
}

/** Returns the service's clock; undefined until it is known. */
export function useServiceClock(): ServiceClock | undefined {
  const { client } = useInbox();
  const isMoving = useIsClockMoving();
  const { data, dataUpdatedAt, isFetching, refetch } = useQuery({
    ...controlQuery(client, 'clock.get', {}),
    refetchInterval: isMoving && MOVING_MS,
    refetchOnWindowFocus: 'always',
  });
  const summary = useControl('summary', {});
  const read = data && Date.parse(data.now);
  const now = () => (data?.frozen ? (read ?? 0) : (read ?? 0) + Date.now() - dataUpdatedAt);
  // Each response has the service's time: it shows when another program has moved the clock.
  const compared = useRef(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: compares once for each response
  useEffect(() => {
    if (isFetching || read === undefined || !client.now || compared.current === summary.dataUpdatedAt) return;
    compared.current = summary.dataUpdatedAt;
    // A clock that arrived after the other response may have been read before it.
    const isOlder = summary.dataUpdatedAt < dataUpdatedAt;
    if (isOlder || Math.abs(Date.parse(client.now) - now()) > TOLERANCE_MS) void refetch();
  }, [summary.dataUpdatedAt, isFetching]);
  if (!data) return undefined;
  const offset = data.frozen ? undefined : describeOffset(data.offset_ms);
  return {
    now,
    isFrozen: data.frozen,
    isMoved: data.frozen || offset !== undefined,
    difference: data.frozen ? 'frozen' : offset,
  };
}

/** Draws the component again every second. */
export function useTick(isOn: boolean): void {
  const [, setCount] = useState(0);
  useEffect(() => {
    if (!isOn) return;
    const timer = setInterval(() => setCount((count) => count + 1), TICK_MS);
    return () => clearInterval(timer);
  }, [isOn]);
}
