import { Component, type ReactNode } from 'react';
import { describeFailure, type FailureText, isMissingPart } from '../api/failures.js';
import { useReconnected } from '../api/reconnected.js';
import { Button } from './button.js';
import { EmptyState } from './empty-state.js';

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
