import { useState } from 'react';
import { indented } from '../../../contract/vocabulary/helpers/indent-json.js';
import { diagnoseAttempt, isSigned, succeeded } from '../../../contract/vocabulary/webhooks/diagnose-attempt.js';
import { StatusBadge, Tag } from '../badge.js';
import { Time } from '../time.js';
import styles from './attempts.module.css';
import { HttpMessage } from './http-message.js';
import type { Attempt } from './types.js';

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
