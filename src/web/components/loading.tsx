import styles from './loading.module.css';

/** Shown while something loads, after a moment, so that fast answers do not flicker. */
export function Loading({ label = 'Loading' }: { label?: string }) {
  return (
    <div className={styles.loading} role="status">
      <span className={styles.spinner} aria-hidden="true" />
      {label}…
    </div>
  );
}
