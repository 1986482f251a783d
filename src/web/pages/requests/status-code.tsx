import styles from './requests.module.css';

/** A status of HTTP, in the color of its class; 0 for a request without a response. */
export function StatusCode({ status }: { status: number }) {
  if (status === 0) return <span className={`${styles.status} ${styles.bad}`}>No response</span>;
  const kind = status < 300 ? styles.good : status < 400 ? styles.neutral : status < 500 ? styles.refused : styles.bad;
  return <span className={`${styles.status} ${kind}`}>{status}</span>;
}
