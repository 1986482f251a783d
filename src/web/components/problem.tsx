import { useState } from 'react';
import { UnreachableError } from '../../client/failures.js';
import { describeFailure } from '../api/failures.js';
import { useReconnected } from '../api/reconnected.js';
import styles from './problem.module.css';

/** Explains in one paragraph why an action failed. A lost server is no reason once it is back. */
export function Problem({ error }: { error: unknown }) {
  const [ended, setEnded] = useState<unknown>();
  useReconnected(() => error instanceof UnreachableError && setEnded(error));
  if (error === ended) return null;
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
