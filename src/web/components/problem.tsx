import { describeFailure } from '../api/failures.js';
import styles from './problem.module.css';

/** Explains in one paragraph why an action failed. */
export function Problem({ error }: { error: unknown }) {
  const { message, hint } = describeFailure(error);
  return <ProblemText message={message} hint={hint} />;
}

/** An explanation in words. */
export function ProblemText({ message, hint }: { message: string; hint?: string | undefined }) {
  return (
    <p role="alert" className={styles.problem}>
      {hint ? `${message} ${hint}` : message}
    </p>
  );
}
