import { Component, type ReactNode, useState } from 'react';
import { Link, useLocation } from 'wouter';
import { UnreachableError } from '../../client/failures.js';
import { useReconnected } from '../api/calls.js';
import { describeFailure, type FailureText, isMissingPart, isNotFound } from '../api/failures.js';
import { Button } from './button.js';
import styles from './states.module.css';

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

interface LoadedProps<Data> {
  query: { data: Data | undefined; error: unknown; refetch(): unknown };
  /** Shown if the server does not have what the query reads, even if it had it before. */
  missing?: ReactNode;
  children(data: Data): ReactNode;
}

/** Shows what a query returned, that it is loading, or why it failed. */
export function Loaded<Data>({ query, missing, children }: LoadedProps<Data>) {
  if (missing !== undefined && isNotFound(query.error)) return missing;
  if (query.data !== undefined) return children(query.data);
  if (!query.error) return <Loading />;
  return <FailureView {...describeFailure(query.error)} onRetry={() => void query.refetch()} />;
}

interface EmptyStateProps {
  title: string;
  /** Whether it is all of the page, so that its title is that of the page. */
  isPage?: boolean;
  children?: ReactNode;
}

/** Fills a view that has nothing to show, and shows the next step. */
export function EmptyState({ title, isPage = false, children }: EmptyStateProps) {
  const Heading = isPage ? 'h1' : 'h2';
  return (
    <div className={styles.empty}>
      <Heading className={styles.title}>{title}</Heading>
      {children}
    </div>
  );
}

/** Explains in one paragraph why an action failed. A lost server is not reported once it is back. */
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

export function NotFound() {
  const [path] = useLocation();
  return (
    <EmptyState title="Page not found" isPage>
      <p>
        No page matches <code>/inbox{path}</code>.
      </p>
      <p>
        <Link href="/emails">Show all emails</Link>
      </p>
    </EmptyState>
  );
}

/** Shows why a view has no content, and what to do. */
export function FailureView({ title, message, hint, canRetry, onRetry }: FailureText & { onRetry?: () => void }) {
  return (
    <div role="alert">
      <EmptyState title={title}>
        <p>{message}</p>
        {hint && <p>{hint}</p>}
        {canRetry && onRetry && <Button onClick={onRetry}>Try again</Button>}
      </EmptyState>
    </div>
  );
}

/** A browser may not load a part again that failed once: the page is loaded again, at once when the server is back. */
function MissingPart({ error }: { error: unknown }) {
  const reload = () => location.reload();
  useReconnected(() => {
    // What was typed into a form would be lost.
    if (!document.querySelector('form')) reload();
  });
  return <FailureView {...describeFailure(error)} onRetry={reload} />;
}

interface Props {
  /** A failure is shown until this changes, such as the address. */
  until?: string;
  children: ReactNode;
}

/** Keeps a fault of one view from emptying the whole page. */
export class ErrorBoundary extends Component<Props, { error?: unknown }> {
  override state: { error?: unknown } = {};

  static getDerivedStateFromError(error: unknown) {
    return { error };
  }

  override componentDidUpdate({ until }: Props) {
    if (until !== this.props.until && this.state.error !== undefined) this.setState({ error: undefined });
  }

  override render() {
    if (this.state.error === undefined) return this.props.children;
    const { error } = this.state;
    if (isMissingPart(error)) return <MissingPart error={error} />;
    return <FailureView {...describeFailure(error)} onRetry={() => this.setState({ error: undefined })} />;
  }
}
