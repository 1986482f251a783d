import { Plus, X } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import { Link } from 'wouter';
import { TAG_CHARACTERS } from '../../../../contract/vocabulary/limits.js';
import { formatCondition } from '../../../../contract/vocabulary/query/format-query.js';
import { useControlChange } from '../../../api/calls.js';
import { StatusBadge, Tag } from '../../../components/badge.js';
import { IconButton } from '../../../components/button.js';
import { mailboxOf, plural } from '../../../components/format.js';
import { Problem } from '../../../components/states.js';
import styles from '../../emails/header/recipients.module.css';
import type { EmailDetails } from '../types.js';

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

/** The tags of an email, each with a link to all emails with it. Those that were added by hand can be removed. */
export function Tags({ email: { id, tags, added_tags } }: { email: EmailDetails }) {
  const [isOpen, setOpen] = useState(false);
  const change = useControlChange('emails.mark');
  const add = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const tag = String(new FormData(event.currentTarget).get('tag')).trim();
    if (tag === '') return setOpen(false);
    change.mutate({ body: { ids: [id], add_tags: [tag] } }, { onSuccess: () => setOpen(false) });
  };
  return (
    <>
      {tags.map((tag) => (
        <TagLink key={tag} tag={tag} />
      ))}
      {added_tags.map((tag) => (
        <span key={tag} className={styles.added}>
          <TagLink tag={tag} />
          <IconButton
            label={`Remove the tag ${tag}`}
            icon={X}
            className={styles.small}
            onClick={() => change.mutate({ body: { ids: [id], remove_tags: [tag] } })}
          />
        </span>
      ))}
      {isOpen ? (
        <form onSubmit={add} className={styles.form}>
          <input
            name="tag"
            aria-label="Tag to add"
            placeholder="Tag, then Enter"
            maxLength={TAG_CHARACTERS}
            autoComplete="off"
            spellCheck={false}
            // biome-ignore lint/a11y/noAutofocus: the user has just asked for this field
            autoFocus
            onKeyDown={(event) => {
              if (event.key !== 'Escape') return;
              event.stopPropagation();
              setOpen(false);
            }}
          />
        </form>
      ) : (
        <IconButton label="Add a tag" icon={Plus} className={styles.small} onClick={() => setOpen(true)} />
      )}
      {change.error && <Problem error={change.error} />}
    </>
  );
}

function TagLink({ tag }: { tag: string }) {
  const search = formatCondition('tag', tag);
  return (
    <Link
      className={styles.link ?? ''}
      href={`/emails?search=${encodeURIComponent(search)}`}
      title={`Search ${search}`}
    >
      <Tag>{tag}</Tag>
    </Link>
  );
}
