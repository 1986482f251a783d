import { useState } from 'react';
import { Link } from 'wouter';
import { formatCondition } from '../../../../contract/vocabulary/query/format-query.js';
import { StatusBadge } from '../../../components/badge.js';
import { plural } from '../../../components/format.js';
import { mailboxOf } from '../../emails/addresses.js';
import type { EmailDetails } from '../types.js';
import styles from './recipients.module.css';

const SHOWN = 4;
const LABELS = { to: 'To', cc: 'Cc', bcc: 'Bcc' };

/** Sender and recipients, each with a link to its other emails, and with its status unless it is that of the email. */
export function Recipients({ email, status }: { email: EmailDetails; status: string }) {
  const [isOpen, setOpen] = useState(false);
  const { recipients, from, reply_to } = email;
  const shown = isOpen ? recipients : recipients.slice(0, SHOWN);
  return (
    <dl className={styles.list}>
      <div>
        <dt>From</dt>
        <dd>
          <Address address={from || '(no sender)'} search={from && formatCondition('from', mailboxOf(from))} />
        </dd>
      </div>
      {reply_to && (
        <div>
          <dt>Reply to</dt>
          <dd>
            <bdi>{reply_to}</bdi>
          </dd>
        </div>
      )}
      {(['to', 'cc', 'bcc'] as const).map((kind) => {
        const some = shown.filter((each) => each.kind === kind);
        return some.length === 0 ? null : (
          <div key={kind}>
            <dt>{LABELS[kind]}</dt>
            <dd>
              {some.map((each) => (
                <span key={each.address} className={styles.recipient}>
                  <Address address={each.address} search={formatCondition('to', each.mailbox)} />
                  {each.status !== status && <StatusBadge status={each.status} />}
                </span>
              ))}
            </dd>
          </div>
        );
      })}
      {recipients.length > SHOWN && (
        <div>
          <dt />
          <dd>
            <button type="button" className={styles.more} onClick={() => setOpen(!isOpen)}>
              {isOpen ? 'Show fewer' : `Show ${plural(recipients.length - SHOWN, 'more recipient')}`}
            </button>
          </dd>
        </div>
      )}
    </dl>
  );
}

function Address({ address, search }: { address: string; search: string }) {
  if (search === '') return <bdi>{address}</bdi>;
  return (
    <Link href={`/emails?search=${encodeURIComponent(search)}`} title={`Search ${search}`}>
      <bdi>{address}</bdi>
    </Link>
  );
}
