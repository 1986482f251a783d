import { useState } from 'react';
import type { ControlOperations } from '../../../client/operations.js';
import { indented } from '../../../contract/vocabulary/json.js';
import { diagnoseAttempt, isSigned, succeeded } from '../../../contract/vocabulary/webhooks/attempts.js';
import { useControl } from '../../api/calls.js';
import { StatusBadge, Tag } from '../badge.js';
import { Button } from '../button.js';
import { CopyButton } from '../copy-text.js';
import { beginningOf, formatCount } from '../format.js';
import { Loaded } from '../states.js';
import { Time } from '../time.js';
import styles from './attempt.module.css';

/** One attempt: its result in a line, which opens the request and the response. */
function AttemptView({ attempt, isNewest }: { attempt: Attempt; isNewest: boolean }) {
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
      number={attempt.attempt}
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
      number={attempt.attempt}
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
  /** The number of the attempt. */
  number: number;
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
function HttpMessage({ title, number, note, start, headers, body, shown }: Props) {
  return (
    <section className={styles.message} aria-label={`${title} of attempt ${number}`}>
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

/** Shows all attempts of a webhook delivery, newest first, with their requests and responses. */
export function Attempts({ deliveryId }: { deliveryId: string }) {
  const delivery = useControl('deliveries.get', { params: { id: deliveryId } });
  return <Loaded query={delivery}>{(delivery) => <AttemptList delivery={delivery} />}</Loaded>;
}

/** The attempts of a delivery that is loaded. The newest one is open. */
function AttemptList({ delivery }: { delivery: Delivery }) {
  const { log } = delivery;
  return (
    <div className={styles.attempts}>
      <NextAttempt delivery={delivery} />
      <ol reversed className={styles.list} aria-label="Attempts, newest first">
        {log.toReversed().map((attempt) => (
          <li key={attempt.attempt}>
            <AttemptView attempt={attempt} isNewest={attempt === log.at(-1)} />
          </li>
        ))}
      </ol>
    </div>
  );
}

/** Shows when the next attempt is due, or that none follows. */
function NextAttempt({ delivery: { state, next_attempt_at, log } }: { delivery: Delivery }) {
  if (state === 'pending' && next_attempt_at !== null) {
    return (
      <p>
        {log.length === 0 ? 'The first attempt is under way, or due at ' : `Attempt ${log.length + 1} is due at `}
        <Time at={next_attempt_at} />.
      </p>
    );
  }
  if (state !== 'failed') return null;
  return (
    <p>
      {log.length === 0
        ? 'No attempt was made: the webhook was paused or deleted before.'
        : 'No more attempts. Replay it to send it again.'}
    </p>
  );
}
