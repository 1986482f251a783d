import { useState } from 'react';
import { SIGNATURE_HEADER } from '../../../../contract/vocabulary/headers.js';
import { changesOf } from '../../../../contract/vocabulary/webhooks/changed-bodies.js';
import type { Delivery } from '../../../components/attempts/attempt.js';
import { Button } from '../../../components/button.js';
import { jsString, pythonString, shellWord } from '../../../components/code/quote.js';
import { CopyCommand, CopyText } from '../../../components/copy-text.js';
import { TextAreaField, TextField } from '../../../components/form/field.js';
import { plural } from '../../../components/format.js';
import { Section } from '../../../components/page/page.js';
import styles from './delivery-page.module.css';

/** Explains with the values of this delivery how to verify its signature. */
export function Signature({ delivery: { payload, log, webhook_id } }: { delivery: Delivery }) {
  const sent = log.at(-1);
  const signature = sent && signatureOf(sent.request_headers);
  if (!sent) return null;
  if (signature === undefined) {
    return (
      <Section title="Verify the signature">
        <p>This request is unsigned, because the webhook had no secret. To set one, edit the webhook, or run:</p>
        <CopyCommand text={`svc webhooks update ${webhook_id} --secret SECRET`} />
      </Section>
    );
  }
  const bytes = new TextEncoder().encode(payload).length;
  return (
    <Section title="Verify the signature">
      <div className={styles.signature}>
        <ol className={styles.steps}>
          <li>
            <p>Read the body as the {plural(bytes, 'byte')} that arrived, before anything parses them:</p>
            <CopyText text={payload} label="Copy the signed body" />
          </li>
          <li>
            <p>Compute their HMAC-SHA256 with the webhook’s secret as key, in lower-case hexadecimal.</p>
          </li>
          <li>
            <p>
              Compare it in constant time with the header <code>{SIGNATURE_HEADER}</code>. Answer 401 if they differ.
            </p>
            <CopyText text={signature} label="Copy the signature" />
          </li>
        </ol>
        <SignatureCheck payload={payload} signature={signature} />
        <Snippets payload={payload} signature={signature} />
      </div>
    </Section>
  );
}

function signatureOf(headers: Record<string, string>): string | undefined {
  const name = SIGNATURE_HEADER.toLowerCase();
  return Object.entries(headers).find(([each]) => each.toLowerCase() === name)?.[1];
}

/** Code that verifies this very request. */
function Snippets({ payload, signature }: { payload: string; signature: string }) {
  const snippets = snippetsFor(payload, signature);
  const [chosen, setChosen] = useState(snippets[0]?.name);
  const shown = snippets.find(({ name }) => name === chosen);
  return (
    <div className={styles.snippets}>
      <h3>Verify this request with code</h3>
      <p>
        The code reads the secret from <code>SVC_WEBHOOK_SECRET</code>.
      </p>
      <div className={styles.choices}>
        {snippets.map(({ name }) => (
          <button key={name} type="button" aria-pressed={name === chosen} onClick={() => setChosen(name)}>
            {name}
          </button>
        ))}
      </div>
      {shown && <CopyText text={shown.code} label={`Copy the code for ${shown.name}`} />}
    </div>
  );
}

/** Code that verifies the signature of one request. Each prints whether it is valid, except openssl. */

interface Snippet {
  name: string;
  code: string;
}

function snippetsFor(payload: string, signature: string): Snippet[] {
  const printBody = `printf %s ${shellWord(payload)}`;
  return [
    {
      name: 'Node.js',
      code: [
        "import { createHmac, timingSafeEqual } from 'node:crypto';",
        '',
        '// In your application: the raw body and the header of the request.',
        `const body = ${jsString(payload)};`,
        `const signature = ${jsString(signature)};`,
        '',
        "const expected = createHmac('sha256', process.env.SVC_WEBHOOK_SECRET).update(body).digest('hex');",
        'const isValid =',
        '  signature.length === expected.length && timingSafeEqual(Buffer.from(signature), Buffer.from(expected));',
        "console.log(isValid ? 'valid' : 'not valid');",
      ].join('\n'),
    },
    {
      name: 'Python',
      code: [
        'import hashlib, hmac, os',
        '',
        '# In your application: the raw body and the header of the request.',
        `body = ${pythonString(payload)}.encode()`,
        `signature = ${pythonString(signature)}`,
        '',
        'expected = hmac.new(os.environ["SVC_WEBHOOK_SECRET"].encode(), body, hashlib.sha256).hexdigest()',
        'print("valid" if hmac.compare_digest(signature, expected) else "not valid")',
      ].join('\n'),
    },
    {
      name: 'openssl',
      code: [`# Prints ${signature}`, `${printBody} | openssl dgst -sha256 -hmac "$SVC_WEBHOOK_SECRET" -r`].join('\n'),
    },
    { name: 'svc', code: `${printBody} | svc webhooks verify --signature ${shellWord(signature)}` },
  ];
}

interface Result {
  computed: string;
  text: string;
}

/** Computes the signature with a secret, of the body that was sent or of what the application verified. */
function SignatureCheck({ payload, signature }: { payload: string; signature: string }) {
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
