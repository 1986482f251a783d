import { useState } from 'react';
import { SIGNATURE_HEADER } from '../../../../contract/vocabulary/webhooks/headers.js';
import type { Delivery } from '../../../components/attempts/types.js';
import { CopyCommand } from '../../../components/copy-command.js';
import { CopyText } from '../../../components/copy-text.js';
import { plural } from '../../../components/format.js';
import { Section } from '../../../components/page/section.js';
import styles from './delivery-page.module.css';
import { SignatureCheck } from './signature-check.js';
import { snippetsFor } from './snippets.js';

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
