/** Keeps a crash where it happened: what stands around it, and what was typed there, stays. */
import { Component, type ReactNode } from 'react';
import { app, crash } from '@/copy/app';
import { Alert } from './ui/alert';
import { Button } from './ui/button';

interface ErrorBoundaryProps {
  /** In place of what crashed; `retry` shows it once more. */
  fallback: (retry: () => void) => ReactNode;
  /** When it changes, for example with the address, what crashed is shown once more. */
  resetKey?: string;
  children: ReactNode;
}

interface ErrorBoundaryState {
  hasFailed: boolean;
  resetKey: string | undefined;
}

export class ErrorBoundary extends Component<ErrorBoundaryProps, ErrorBoundaryState> {
  override state: ErrorBoundaryState = { hasFailed: false, resetKey: this.props.resetKey };

  static getDerivedStateFromProps({ resetKey }: ErrorBoundaryProps, state: ErrorBoundaryState) {
    return resetKey === state.resetKey ? null : { hasFailed: false, resetKey };
  }

  static getDerivedStateFromError() {
    return { hasFailed: true };
  }

  private readonly retry = () => this.setState({ hasFailed: false });

  override render() {
    return this.state.hasFailed ? this.props.fallback(this.retry) : this.props.children;
  }
}

/** A piece of a screen that may fail without the rest: a list beside a form, a card among others. */
export function Part({ children }: { children: ReactNode }) {
  return <ErrorBoundary fallback={(retry) => <PartFailed onRetry={retry} />}>{children}</ErrorBoundary>;
}

function PartFailed({ onRetry }: { onRetry: () => void }) {
  return (
    <Alert
      text={crash.part}
      action={
        <Button variant="outline" size="small" className="mt-3" onClick={onRetry}>
          {app.tryAgain}
        </Button>
      }
    />
  );
}
