import { useState } from 'react';
import { changesOf } from '../../../../contract/vocabulary/webhooks/changed-bodies.js';
import { Button } from '../../../components/button.js';
import { TextAreaField, TextField } from '../../../components/form/field.js';
import styles from './delivery-page.module.css';

interface Result {
  computed: string;
  text: string;
}

/** Computes the signature with a secret, of the body that was sent or of what the application verified. */
export function SignatureCheck({ payload, signature }: { payload: string; signature: string }) {
  const [result, setResult] = useState<Result>();
  const check = async (fields: FormData) => {
    // A text field of a form has CRLF for each line break.
    const received = String(fields.get('body')).replaceAll('\r\n', '\n') || payload;
    const computed = await hmacOf(received, String(fields.get('secret')));
    setResult({ computed, text: verdict(received, payload, computed === signature) });
  };
  if (!globalThis.crypto.subtle) return null;
  return (
    <form
      className={styles.check}
      onSubmit={(event) => {
        event.preventDefault();
        void check(new FormData(event.currentTarget));
      }}
    >
      <h3>Check it here</h3>
      <TextField label="Secret" name="secret" required hint="Used in this page only. It is not sent or kept." />
      <TextAreaField
        label="Body that your application verified"
        name="body"
        rows={3}
        hint="Optional: log it there and paste it, to see what changed it. Without it, the body that was sent is used."
      />
      <div>
        <Button type="submit">Compute the signature</Button>
      </div>
      <div role="status">
        {result && (
          <>
            <p className={styles.computed}>{result.computed}</p>
            <p>{result.text}</p>
          </>
        )}
      </div>
    </form>
  );
}

/** Returns the verdict in the words of `svc webhooks verify`. */
function verdict(received: string, payload: string, isValid: boolean): string {
  if (isValid) return 'valid: it is the signature in the header.';
  const change = changesOf(received).find(({ original }) => original === payload);
  if (change) return `not valid: ${change.cause}. ${change.advice}`;
  if (received === payload) return 'not valid: wrong secret.';
  return 'not valid: the body’s content was changed.';
}

async function hmacOf(text: string, secret: string): Promise<string> {
  const bytes = new TextEncoder();
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  const key = await crypto.subtle.importKey('raw', bytes.encode(secret), algorithm, false, ['sign']);
  const mac = await crypto.subtle.sign('HMAC', key, bytes.encode(text));
  return Array.from(new Uint8Array(mac), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
