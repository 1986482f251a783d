import styles from './badge.module.css';

const COLORS: Record<string, string> = {
  delivered: 'green',
  opened: 'green',
  clicked: 'green',
  succeeded: 'green',
  verified: 'green',
  active: 'green',
  found: 'green',
  accepted: 'blue',
  missing: 'red',
  sent: 'blue',
  scheduled: 'violet',
  pending: 'violet',
  refused: 'red',
  broken: 'red',
  bounced: 'red',
  failed: 'red',
  complained: 'orange',
  'hard bounce': 'red',
  complaint: 'orange',
  deferred: 'orange',
  dropped: 'orange',
  different: 'orange',
};

/** A status as a colored word. */
export function StatusBadge({ status }: { status: string }) {
  return <span className={`${styles.badge} ${styles[COLORS[status] ?? 'gray']}`}>{status}</span>;
}

/** A tag or another short label. */
export function Tag({ children }: { children: string }) {
  return <span className={styles.tag}>{children}</span>;
}
