import { useEffect, useRef, useState } from 'react';

/** Values that follow another one later, so that a burst of changes causes few calls. */

/** Returns the value after it has not changed for this long; the first one at once. */
export function useDelayed<T>(value: T, ms: number): T {
  const [delayed, setDelayed] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setDelayed(value), ms);
    return () => clearTimeout(timer);
  }, [value, ms]);
  return delayed;
}

/** Returns whether this long has passed since the component appeared. */
export function useHasPassed(ms: number): boolean {
  const [hasPassed, setPassed] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setPassed(true), ms);
    return () => clearTimeout(timer);
  }, [ms]);
  return hasPassed;
}

/** Returns the value, which changes at most once in this time. */
export function useThrottled<T>(value: T, ms: number): T {
  const [current, setCurrent] = useState(value);
  const changedAt = useRef(Number.NEGATIVE_INFINITY);
  useEffect(() => {
    const change = () => {
      changedAt.current = performance.now();
      setCurrent(value);
    };
    const timer = setTimeout(change, Math.max(0, changedAt.current + ms - performance.now()));
    return () => clearTimeout(timer);
  }, [value, ms]);
  return current;
}
