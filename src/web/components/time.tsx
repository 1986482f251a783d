import { useNow } from '../api/calls.js';
import { fullTime, shortTime } from './format.js';

interface Props {
  at: string;
  now?: number;
  /** Formats the full time on hovering only. In a long list, it takes longer than all else of a row. */
  isInLongList?: boolean;
}

/** A time in the form that is shortest for its age, with the full time as its title. */
export function Time({ at, now, isInLongList = false }: Props) {
  const current = useNow();
  const title = () => fullTime(new Date(at));
  return (
    <time
      dateTime={at}
      title={isInLongList ? undefined : title()}
      onMouseEnter={
        isInLongList
          ? ({ currentTarget }) => {
              currentTarget.title = title();
            }
          : undefined
      }
    >
      {shortTime(new Date(at), new Date(now ?? current))}
    </time>
  );
}
