import { Component, type ReactNode } from 'react';
import { describeFailure, type FailureText, isMissingPart } from '../api/failures.js';
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
    // React does not load a part again that failed once.
    const retry = isMissingPart(error) ? () => location.reload() : () => this.setState({ error: undefined });
    return <FailureView {...describeFailure(error)} onRetry={retry} />;
  }
}
