import { Download, File, FileText, Image } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../../../components/button.js';
import { formatSize } from '../../../components/format.js';
import { useContentUrls } from '../content-urls.js';
import type { EmailDetails, TabProps } from '../types.js';
import styles from './attachments-tab.module.css';
import { TextPreview } from './text-preview.js';

type Attachment = EmailDetails['attachments'][number];
type Urls = { url: string | null; download: string } | undefined;

/** Number of attachments to show at first: a message may have a thousand. */
const SHOWN = 50;

export function AttachmentsTab({ email: { id, attachments } }: TabProps) {
  const { data: urls } = useContentUrls(id);
  const [shown, setShown] = useState(SHOWN);
  return (
    <div className={styles.page}>
      <ul className={styles.list}>
        {attachments.slice(0, shown).map((attachment) => (
          <AttachmentItem
            key={attachment.index}
            id={id}
            attachment={attachment}
            urls={urls?.attachments.find(({ index }) => index === attachment.index)}
          />
        ))}
      </ul>
      {attachments.length > shown && (
        <Button onClick={() => setShown(shown + 200)}>Show more of {attachments.length} attachments</Button>
      )}
    </div>
  );
}

function AttachmentItem({ id, attachment, urls }: { id: string; attachment: Attachment; urls: Urls }) {
  const { filename, content_type, content_id, disposition, size } = attachment;
  const Icon = content_type.startsWith('image/') ? Image : content_type.startsWith('text/') ? FileText : File;
  return (
    <li className={styles.item}>
      <div className={styles.head}>
        <Icon size={20} aria-hidden />
        <div className={styles.facts}>
          <div className={styles.name}>
            <bdi>{filename || '(no name)'}</bdi>
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
      {isReadable(attachment) && <TextPreview id={id} attachment={attachment} />}
    </li>
  );
}

/** Maximum size of a text that is shown. */
const TEXT_BYTES = 200_000;

function isReadable({ content_type, size }: Attachment): boolean {
  return size <= TEXT_BYTES && /^(?:text\/|application\/(?:json|xml|ics))/i.test(content_type);
}
