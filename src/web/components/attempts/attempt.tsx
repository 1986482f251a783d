import { useState } from 'react';
import type { ControlOperations } from '../../../client/operations.js';
import { indented } from '../../../contract/vocabulary/helpers/indent-json.js';
import { diagnoseAttempt, isSigned, succeeded } from '../../../contract/vocabulary/webhooks/diagnose-attempt.js';
import { StatusBadge, Tag } from '../badge.js';
import { Button } from '../button.js';
import { CopyButton } from '../copy-text.js';
import { beginningOf, formatCount } from '../format.js';
import { Time } from '../time.js';
import styles from './attempts.module.css';

/** One attempt: its result in a line, which opens the request and the response. */
export function AttemptView({ attempt, isNewest }: { attempt: Attempt; isNewest: boolean }) {
  const [isOpen, setOpen] = useState(isNewest);
  return (
    <details className={styles.attempt} open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        <span className={styles.number}>
          Attempt {attempt.attempt} of {attempt.max_attempts}
        </span>
        <StatusBadge status={succeeded(attempt) ? 'succeeded' : 'failed'} />
        <span>{attempt.status === null ? 'No response' : `Status ${attempt.status}`}</span>
        {attempt.fault !== null && <Tag>injected</Tag>}
        <span className={styles.when}>
          <Time at={attempt.at} />, {attempt.duration_ms} ms
        </span>
      </summary>
      {isOpen && <Exchange attempt={attempt} />}
    </details>
  );
}

function Exchange({ attempt }: { attempt: Attempt }) {
  const { status, payload, response_body, response_headers, request_headers } = attempt;
  const hasFailed = !succeeded(attempt);
  const request = (
    <HttpMessage
      key="request"
      title="Request"
      note={isSigned(attempt) ? undefined : 'Unsigned, because the webhook has no secret.'}
      start={`POST ${attempt.url}`}
      headers={request_headers}
      body={payload}
      shown={indented(payload)}
    />
  );
  const response = status !== null && (
    <HttpMessage
      key="response"
      title="Response"
      start={String(status)}
      headers={response_headers}
      body={response_body}
      shown={indented(response_body)}
    />
  );
  return (
    <div className={styles.exchange}>
      {hasFailed && <Cause attempt={attempt} />}
      {/* An application that refused an event explains it in the response. */}
      {hasFailed ? [response, request] : [request, response]}
    </div>
  );
}

/** Shows why an attempt failed, and what to check. */
function Cause({ attempt }: { attempt: Attempt }) {
  const cause = diagnoseAttempt(attempt);
  return (
    <div className={styles.cause}>
      <p>{cause.charAt(0).toUpperCase() + cause.slice(1)}</p>
      {attempt.error !== null && <p className={styles.error}>{attempt.error}</p>}
    </div>
  );
}

interface Props {
  title: 'Request' | 'Response';
  note?: string | undefined;
  /** The method and URL, or the status. */
  start: string;
  headers: Record<string, string>;
  /** The exact text, which is copied. */
  body: string;
  /** The text in a form that is easy to read. */
  shown: string;
}

/** Characters of a body that are shown at first. */
const SHOWN_CHARACTERS = 20_000;

/** A request or a response: first line, headers and body. */
function HttpMessage({ title, note, start, headers, body, shown }: Props) {
  return (
    <section className={styles.message} aria-label={title}>
      <h3>{title}</h3>
      <p className={styles.start}>{start}</p>
      {note && <p className={styles.note}>{note}</p>}
      <dl className={styles.headers}>
        {Object.entries(headers).map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>
              <bdi>{value}</bdi>
            </dd>
          </div>
        ))}
      </dl>
      {body === '' ? (
        <p className={styles.note}>No body</p>
      ) : (
        <Body name={`${title.toLowerCase()} body`} body={body} shown={shown} />
      )}
    </section>
  );
}

function Body({ name, body, shown }: { name: string; body: string; shown: string }) {
  const [isWhole, setWhole] = useState(false);
  const isCut = !isWhole && shown.length > SHOWN_CHARACTERS;
  return (
    <div className={styles.body}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls needs the keyboard */}
      <section tabIndex={0} aria-label={name}>
        <pre>{isCut ? beginningOf(shown, SHOWN_CHARACTERS) : shown}</pre>
      </section>
      <span className={styles.copy}>
        <CopyButton text={body} label={`Copy the ${name} as it was sent`} />
      </span>
      {isCut && <Button onClick={() => setWhole(true)}>Show all {formatCount(shown.length)} characters</Button>}
    </div>
  );
}

/** A webhook delivery with its attempts, oldest first. */
export type Delivery = ControlOperations['deliveries.get']['result'];
type Attempt = Delivery['log'][number];
