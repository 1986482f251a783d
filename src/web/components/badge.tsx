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

/** A short label. */
export function Label({ children }: { children: string }) {
  return <span className={styles.tag}>{children}</span>;
}

const TAG_COLORS = ['green', 'blue', 'violet', 'red', 'orange', 'gray'];

/** A tag, in a color that follows from its name. */
export function Tag({ children }: { children: string }) {
  let hash = 0;
  for (const character of children) hash = (hash * 31 + (character.codePointAt(0) ?? 0)) % 65_521;
  return <span className={`${styles.tag} ${styles[TAG_COLORS[hash % TAG_COLORS.length] ?? 'gray']}`}>{children}</span>;
}
