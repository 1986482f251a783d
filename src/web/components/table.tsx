import type { ReactNode } from 'react';
import styles from './table.module.css';

/** The heading of a column: only for screen readers if it is `hidden`, and none if it is empty. */
type Heading = string | { hidden: string };

interface Props {
  caption?: ReactNode;
  /** A caption for screen readers. */
  label?: string;
  /** Whether its rows become blocks on a narrow screen. */
  wide?: boolean;
  columns: readonly Heading[];
  children: ReactNode;
}

/** A table with a heading for each column. Its children are the rows. */
export function Table({ caption, label, wide, columns, children }: Props) {
  return (
    <table className={wide ? `${styles.table} ${styles.wide}` : styles.table}>
      {caption !== undefined && <caption>{caption}</caption>}
      {label !== undefined && <caption className="visually-hidden">{label}</caption>}
      <thead>
        <tr>{columns.map(headingOf)}</tr>
      </thead>
      <tbody>{children}</tbody>
    </table>
  );
}

function headingOf(heading: Heading) {
  if (heading === '') return <td key="" />;
  if (typeof heading === 'string') {
    return (
      <th key={heading} scope="col">
        {heading}
      </th>
    );
  }
  return (
    <th key={heading.hidden} scope="col">
      <span className="visually-hidden">{heading.hidden}</span>
    </th>
  );
}
