import { type FormEvent, useEffect, useState } from 'react';
import { describeFailure } from '../api/failures.js';
import type { Proof, SignInRequired } from '../api/session.js';
import { needsReload, reloadOnce } from '../common/tab.js';
import { Button } from '../components/button.js';
import { CopyText } from '../components/copy-text.js';
import styles from './sign-in.module.css';

interface Props {
  required: SignInRequired;
  onProof(proof?: Proof): Promise<void>;
}

function useReload(required: SignInRequired): void {
  useEffect(() => {
    if (needsReload(required)) reloadOnce();
  }, [required]);
}

/** Asks for what the server needs to know that the user may read its email. */
export function SignIn({ required, onProof }: Props) {
  useReload(required);
  return (
    <main className={styles.page}>
      <div className={styles.card}>
        <h1>Sign in to the svc inbox</h1>
        <Ways required={required} onProof={onProof} />
      </div>
    </main>
  );
}

function Ways({ required: { method, message }, onProof }: Props) {
  if (method === 'password') return <PasswordForm onProof={onProof} />;
  if (method === 'reload') return <CookieHelp message={message} />;
  return <LinkHelp message={message} onProof={onProof} />;
}

function CookieHelp({ message }: { message: string }) {
  return (
    <>
      <p role="alert">{message}</p>
      <p>Allow cookies of this address, then reload the page.</p>
      <Button kind="primary" onClick={() => location.reload()}>
        Reload
      </Button>
    </>
  );
}

function LinkHelp({ message, onProof }: Pick<Props, 'onProof'> & { message: string }) {
  return (
    <>
      <p role="alert">{message}</p>
      <p>This server shows email only to the user who runs it. Open a sign-in link from a terminal of that user:</p>
      <CopyText text="svc inbox --print" />
      <DataDirHint />
      <p className={styles.muted}>Each link works once, for a few minutes. Reload this page to sign in again.</p>
      <Button kind="primary" onClick={() => void onProof()}>
        Try again
      </Button>
    </>
  );
}

function PasswordForm({ onProof }: Pick<Props, 'onProof'>) {
  const [secret, setSecret] = useState('');
  const [message, setMessage] = useState('');
  const [busy, setBusy] = useState(false);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setBusy(true);
    setMessage('');
    try {
      await onProof(/^svc_(?:test|live)_/.test(secret) ? { key: secret } : { password: secret });
    } catch (error) {
      const { message, hint } = describeFailure(error);
      setMessage(hint ? `${message} ${hint}` : message);
    } finally {
      setBusy(false);
    }
  };
  return (
    <form onSubmit={submit}>
      <label htmlFor="secret">API key or inbox password</label>
      <input
        id="secret"
        type="password"
        // biome-ignore lint/a11y/noAutofocus: the page has no other content
        autoFocus
        autoComplete="current-password"
        value={secret}
        onChange={(event) => setSecret(event.target.value)}
        aria-describedby={message ? 'sign-in-problem' : undefined}
      />
      {message && (
        <p id="sign-in-problem" role="alert" className={styles.problem}>
          {message}
        </p>
      )}
      <Button kind="primary" type="submit" disabled={busy || secret === ''}>
        Sign in
      </Button>
      <p className={styles.muted}>Without them, open a link that this command prints:</p>
      <CopyText text="svc inbox --print" />
      <DataDirHint />
    </form>
  );
}

/** The page learns the data directory only after the sign-in. */
function DataDirHint() {
  return (
    <p className={styles.muted}>
      Add <code>--data-dir</code> if the server was started with it.
    </p>
  );
}
