import { type QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { Redirect, Route, Router, Switch, useLocation } from 'wouter';
import { UnreachableError } from '../../client/failures.js';
import { type Inbox, InboxContext } from '../api/calls.js';
import { describeFailure } from '../api/failures.js';
import { SignInRequired } from '../api/session.js';
import { basePath } from '../api/site.js';
import { ShortcutsProvider } from '../common/shortcuts.js';
import { allowReload, needsReload } from '../common/tab.js';
import { afterFrame, loadable } from '../components/loadable.js';
import { ErrorBoundary, FailureView, Loading, NotFound } from '../components/states.js';
import { Frame } from './frame/frame.js';
import { pages } from './pages.js';

const SignIn = loadable(() => import('./sign-in.js').then((file) => file.SignIn), <Loading label="Connecting" />);

/** The base of all addresses of the inbox. */
const BASE = `${basePath()}/inbox`;
/** Milliseconds until the next attempt to sign in to a server that does not respond. */
const RETRY_MS = 2_000;

interface Props {
  inbox: Inbox;
  queries: QueryClient;
  /** The one-time code of a sign-in link. */
  code: string | undefined;
}

export function App({ inbox, queries, code }: Props) {
  const { info, error, retry, start } = useSession(inbox, code);
  const required = error instanceof SignInRequired ? error : undefined;
  if (required) {
    return (
      <ErrorBoundary>
        <SignIn required={required} onProof={retry} />
      </ErrorBoundary>
    );
  }
  if (error) return <FailureView {...describeFailure(error)} onRetry={start} />;
  if (!info) return <Loading label="Connecting" />;
  return (
    <QueryClientProvider client={queries}>
      <InboxContext value={{ ...inbox, info }}>
        <Router base={BASE}>
          <ShortcutsProvider>
            <Frame>
              <Routes />
            </Frame>
          </ShortcutsProvider>
        </Router>
      </InboxContext>
    </QueryClientProvider>
  );
}

function Routes() {
  const [path] = useLocation();
  return (
    <ErrorBoundary until={path}>
      <Switch>
        {pages.map(({ name, route, component }) => (
          <Route key={name} path={route} component={component} />
        ))}
        <Route path="/">
          <Redirect to="/emails" replace />
        </Route>
        <Route component={NotFound} />
      </Switch>
    </ErrorBoundary>
  );
}

/** Opens the session, and follows the server's events while there is one. */
function useSession({ session, live }: Inbox, code: string | undefined) {
  const info = useSyncExternalStore(session.subscribe, session.current);
  const [error, setError] = useState<unknown>();
  const retry = async (proof?: Parameters<typeof session.open>[0]) => {
    try {
      await session.open(proof);
      setError(undefined);
      allowReload();
    } catch (failure) {
      // The form stays, and shows why a proof was refused.
      if (!proof || failure instanceof SignInRequired) setError(failure);
      if (proof) throw failure;
    }
  };
  const unused = useRef(code);
  const forget = () => {
    unused.current = undefined;
    forgetCode();
  };
  /** Opens the session with the code, if it was not used. A page that has to be reloaded first uses it afterwards. */
  const start = () => {
    if (unused.current === undefined) return void retry();
    void retry({ code: unused.current }).then(forget, (failure: unknown) => {
      if (needsReload(failure)) return;
      // The server has not seen the code, or could not use it: it remains for the next attempt.
      if (!(failure instanceof SignInRequired)) return setError(failure);
      forget();
      void retry();
    });
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: waits again after each failure
  useEffect(() => {
    if (!(error instanceof UnreachableError)) return;
    const timer = setTimeout(start, RETRY_MS);
    return () => clearTimeout(timer);
  }, [error]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once; session and live last as long as the page
  useEffect(() => {
    const unsubscribe = session.onSignInRequired((required) => {
      live.stop();
      setError(required);
    });
    start();
    return unsubscribe;
  }, []);
  const isOpen = info !== undefined && error === undefined;
  // Events make the page read again what the first frame shows.
  useEffect(() => (isOpen ? afterFrame(() => live.start()) : undefined), [isOpen, live]);
  return { info, error, retry, start };
}

/** Removes the code from the address, so that neither the history nor a copied address keeps it. */
function forgetCode(): void {
  history.replaceState(null, '', location.pathname + location.search);
}
