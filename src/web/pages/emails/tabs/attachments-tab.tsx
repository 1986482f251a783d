import { Download, File, FileText, Image } from 'lucide-react';
import { useMemo, useState } from 'react';
import { describeFailure } from '../../../api/failures.js';
import { Button } from '../../../components/button.js';
import { formatCount, formatSize, withVisibleOverrides } from '../../../components/format.js';
import { EmptyState, Loading } from '../../../components/states.js';
import styles from '../tabs/attachments-tab.module.css';
import { type EmailDetails, type TabProps, useContentUrls } from '../types.js';
import { useAttachment } from '../use-bytes.js';
import { readInvitation } from './invitation.js';

type Attachment = EmailDetails['attachments'][number];
type Urls = { url: string | null; download: string } | undefined;

/** Number of attachments to show at first: a message may have a thousand. */
const SHOWN = 100;
/** Number of attachments whose texts are shown at once. Each is a call. */
const READ = 10;

export function AttachmentsTab({ email: { id, attachments } }: TabProps) {
  const { data } = useContentUrls(id);
  const urls = useMemo(() => new Map(data?.attachments.map((each) => [each.index, each])), [data]);
  const [isWhole, setWhole] = useState(false);
  if (attachments.length === 0) {
    return (
      <EmptyState title="No attachments">
        <p>This email has no attachments.</p>
      </EmptyState>
    );
  }
  const shown = isWhole ? attachments : attachments.slice(0, SHOWN);
  return (
    <div className={styles.page}>
      <ul className={styles.list}>
        {shown.map((attachment) => (
          <AttachmentItem
            key={attachment.index}
            id={id}
            attachment={attachment}
            urls={urls.get(attachment.index)}
            isRead={attachments.length <= READ}
          />
        ))}
      </ul>
      {shown.length < attachments.length && (
        <Button onClick={() => setWhole(true)}>Show all {formatCount(attachments.length)} attachments</Button>
      )}
    </div>
  );
}

interface ItemProps {
  id: string;
  attachment: Attachment;
  urls: Urls;
  /** Whether the text of the attachment is shown at once. */
  isRead: boolean;
}

function AttachmentItem({ id, attachment, urls, isRead }: ItemProps) {
  const [isOpen, setOpen] = useState(isRead);
  const { filename, content_type, content_id, disposition, size } = attachment;
  const Icon = content_type.startsWith('image/') ? Image : content_type.startsWith('text/') ? FileText : File;
  return (
    <li className={styles.item}>
      <div className={styles.head}>
        <Icon size={20} aria-hidden />
        <div className={styles.facts}>
          <div className={styles.name}>
            <bdi>{withVisibleOverrides(filename) || '(no name)'}</bdi>
          </div>
          <div className={styles.muted}>
            {[content_type, formatSize(size), disposition, content_id && `cid:${content_id}`]
              .filter(Boolean)
              .join(' · ')}
          </div>
        </div>
        {urls && (
          <a className={styles.download} href={urls.download} download={filename}>
            <Download size={16} aria-hidden />
            Download<span className="visually-hidden"> {filename}</span>
          </a>
        )}
      </div>
      {urls?.url && (
        <a href={urls.url} target="_blank" rel="noopener noreferrer" className={styles.image}>
          <img src={urls.url} alt={filename} loading="lazy" />
        </a>
      )}
      {isReadable(attachment) &&
        (isOpen ? (
          <TextPreview id={id} attachment={attachment} />
        ) : (
          <Button aria-label={`Show the text of ${filename}`} onClick={() => setOpen(true)}>
            Show the text
          </Button>
        ))}
    </li>
  );
}

/** Maximum size of a text that is shown. */
const TEXT_BYTES = 200_000;

function isReadable({ content_type, size }: Attachment): boolean {
  return size <= TEXT_BYTES && /^(?:text\/|application\/(?:json|xml|ics))/i.test(content_type);
}

/** Shows an attached text, or an invitation to a calendar. */
export function TextPreview({ id, attachment }: { id: string; attachment: EmailDetails['attachments'][number] }) {
  const { data, error } = useAttachment(id, attachment.index, true);
  if (error) return <p className={styles.muted}>{describeFailure(error).message}</p>;
  if (!data) return <Loading />;
  const text = new TextDecoder().decode(data);
  const invitation = attachment.content_type.startsWith('text/calendar') ? readInvitation(text) : undefined;
  return (
    <>
      {invitation && (
        <dl className={styles.invitation}>
          {Object.entries(invitation).map(([name, value]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>
                <bdi>{value}</bdi>
              </dd>
            </div>
          ))}
        </dl>
      )}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls needs the keyboard */}
      <pre className={styles.text} tabIndex={0}>
        {text}
      </pre>
    </>
  );
}
