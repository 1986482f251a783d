import { Button } from './button.js';
import { formatCount } from './format.js';
import styles from './pager.module.css';

interface Props {
  /** What the list contains, in the plural. */
  label: string;
  pagination: { total: number; limit: number; offset: number; has_more: boolean };
  onOffset(offset: number): void;
}

/** Shows which part of a list is shown, and leads to the parts before and after it. */
export function Pager({ label, pagination: { total, limit, offset, has_more }, onOffset }: Props) {
  const end = Math.min(total, offset + limit);
  return (
    <nav className={styles.pager} aria-label={`Pages of ${label}`}>
      <span role="status">
        {formatCount(Math.min(offset + 1, end))}–{formatCount(end)} of {formatCount(total)}
      </span>
      {(offset > 0 || has_more) && (
        <>
          <Button disabled={offset === 0} onClick={() => onOffset(Math.max(0, offset - limit))}>
            Previous
          </Button>
          <Button disabled={!has_more} onClick={() => onOffset(offset + limit)}>
            Next
          </Button>
        </>
      )}
    </nav>
  );
}
