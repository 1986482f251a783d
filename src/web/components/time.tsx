import { useNow } from '../api/calls.js';
import { fullTime, shortTime } from './format.js';

/**
 * A time in the form that is shortest for its age, with the full time on hovering. That takes longer to format than all
 * else of a row.
 */
export function Time({ at, now }: { at: string; now?: number }) {
  const current = useNow();
  return (
    <time
      dateTime={at}
      onMouseEnter={({ currentTarget }) => {
        currentTarget.title = fullTime(new Date(at));
      }}
    >
      {shortTime(new Date(at), new Date(now ?? current))}
    </time>
  );
}
