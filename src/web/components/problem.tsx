import { describeFailure } from '../api/failures.js';
import styles from './problem.module.css';

/** Explains in one paragraph why an action failed. */
export function Problem({ error }: { error: unknown }) {
  const { message, hint } = describeFailure(error);
  return (
    <p role="alert" className={styles.problem}>
      {hint ? `${message} ${hint}` : message}
    </p>
  );
}
