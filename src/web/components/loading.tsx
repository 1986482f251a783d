import styles from './loading.module.css';

/**
 * Shown while something loads: first lines in the place of a text, then what loads, each after a moment, so that fast
 * answers do not flicker. Explains a long wait.
 */
export function Loading({ label = 'Loading' }: { label?: string }) {
  return (
    <div className={styles.loading} role="status">
      <div className={styles.lines} aria-hidden="true" />
      <span className={styles.label}>
        <span className={styles.spinner} aria-hidden="true" />
        {label}…
      </span>
      <p className={`late ${styles.advice}`}>
        The server has not responded for 10 seconds. Check that it still runs, then reload the page.
      </p>
    </div>
  );
}
