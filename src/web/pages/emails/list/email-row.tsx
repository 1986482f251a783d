import { Paperclip } from 'lucide-react';
import { memo } from 'react';
import { Link } from 'wouter';
import { Label, StatusBadge, Tag } from '../../../components/badge.js';
import { formatSize, plural, withVisibleOverrides } from '../../../components/format.js';
import { Time } from '../../../components/time.js';
import { nameOf, recipientsText } from '../addresses.js';
import styles from './email-row.module.css';
import type { EmailRow } from './use-email-rows.js';

interface Props {
  email: EmailRow;
  href: string;
  isOpen: boolean;
  isAtCursor: boolean;
  /** Whether the Tab key reaches this row. */
  isTabStop: boolean;
  isSelected: boolean;
  onToggle(id: string, extend: boolean): void;
  now: number;
}

const TAGS_SHOWN = 2;
/** A subject may have thousands of characters, of which a row shows one line. */
const SUBJECT_SHOWN = 300;

export const EmailRowView = memo(function EmailRowView(props: Props) {
  const { email, href, isOpen, isAtCursor, isTabStop, isSelected, onToggle, now } = props;
  const subject = withVisibleOverrides(email.subject.slice(0, SUBJECT_SHOWN)) || '(no subject)';
  return (
    <div
      className={styles.row}
      data-unread={!email.read}
      data-open={isOpen}
      data-cursor={isAtCursor}
      data-selected={isSelected}
    >
      <label className={styles.check}>
        <input
          type="checkbox"
          aria-label={`Select ${subject}`}
          aria-keyshortcuts="x"
          tabIndex={-1}
          checked={isSelected}
          onChange={() => {}}
          onClick={(event) => onToggle(email.id, event.shiftKey)}
        />
      </label>
      <Link
        href={href}
        className={styles.link ?? ''}
        aria-current={isOpen ? 'true' : undefined}
        data-email={email.id}
        tabIndex={isTabStop ? 0 : -1}
      >
        <span className={styles.to}>
          {!email.read && <span className="visually-hidden">Unread. </span>}
          <bdi>{recipientsText(email.to)}</bdi>
        </span>
        <span className={styles.from}>
          <span className="visually-hidden">From </span>
          <bdi>{withVisibleOverrides(nameOf(email.from)) || '(no sender)'}</bdi>
        </span>
        <span className={styles.subject}>
          <bdi>{subject}</bdi>
        </span>
        <span className={styles.preview}>
          <bdi>{email.preview || ' '}</bdi>
        </span>
        <span className={styles.labels}>
          {email.dropped === 'some' && <Label>some dropped</Label>}
          <span className={styles.tags}>
            {[...email.tags, ...email.added_tags].slice(0, TAGS_SHOWN).map((tag) => (
              <Tag key={tag}>{tag}</Tag>
            ))}
          </span>
          {email.attachment_count > 0 && (
            <span className={styles.attachments} title={plural(email.attachment_count, 'attachment')}>
              <Paperclip size={14} aria-hidden />
              {email.attachment_count}
              <span className="visually-hidden"> {email.attachment_count === 1 ? 'attachment' : 'attachments'}</span>
            </span>
          )}
        </span>
        <span className={styles.size}>{formatSize(email.size)}</span>
        <span className={styles.time}>
          <Time at={email.created_at} now={now} isInLongList />
        </span>
        <span className={styles.status}>
          <StatusBadge status={email.dropped === 'all' ? 'dropped' : email.status} />
        </span>
      </Link>
    </div>
  );
});
