import styles from './requests.module.css';

/** A status of HTTP, in the color of its class. */
export function StatusCode({ status }: { status: number }) {
  const kind = status < 300 ? styles.good : status < 400 ? styles.neutral : status < 500 ? styles.refused : styles.bad;
  return <span className={`${styles.status} ${kind}`}>{status}</span>;
}
