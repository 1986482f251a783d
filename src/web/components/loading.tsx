import styles from './loading.module.css';

/** Shown while something loads, after a moment, so that fast answers do not flicker. Explains a long wait. */
export function Loading({ label = 'Loading' }: { label?: string }) {
  return (
    <div className={styles.loading} role="status">
      <span className={styles.spinner} aria-hidden="true" />
      {label}…
      <p className={`late ${styles.advice}`}>
        The server has not responded for 10 seconds. Check that it still runs, then reload the page.
      </p>
    </div>
  );
}
