import { fullTime, shortTime } from './format.js';

/** A time in the form that is shortest for its age, with the full time on hovering. `now` is the service's time. */
export function Time({ at, now }: { at: string; now: number }) {
  return (
    <time dateTime={at} title={fullTime(new Date(at))}>
      {shortTime(new Date(at), new Date(now))}
    </time>
  );
}
