import { X } from 'lucide-react';
import { useState } from 'react';
import { ATTACHMENTS_BYTES } from '../../../contract/vocabulary/limits.js';
import { type AttachmentInput, base64Of } from '../../api/attachments.js';
import { IconButton } from '../../components/button.js';
import { Field } from '../../components/form/field.js';
import { formatSize } from '../../components/format.js';
import { Problem } from '../../components/problem.js';
import styles from './compose-page.module.css';

/** As the server counts them. */
const BYTES_PER_MB = 2 ** 20;

interface Props {
  attachments: readonly AttachmentInput[];
  /** Whether they remain when the user leaves the page. */
  areKept: boolean;
  onChange(change: (before: readonly AttachmentInput[]) => readonly AttachmentInput[]): void;
}

/** Files of this machine, and attachments of the email that the draft is made of. */
export function AttachmentsField({ attachments, areKept, onChange }: Props) {
  const [error, setError] = useState<unknown>();
  const add = async (input: HTMLInputElement) => {
    try {
      const added = await Promise.all([...(input.files ?? [])].map(attachmentOf));
      onChange((before) => [...before, ...added]);
      setError(undefined);
      // The same file can be chosen again after it was removed.
      input.value = '';
    } catch (failure) {
      setError(failure);
    }
  };
  return (
    <div className={styles.attachments}>
      <Field label="Attachments" name="attachments" hint={`At most ${ATTACHMENTS_BYTES / BYTES_PER_MB} MB in all.`}>
        {(ids) => <input type="file" multiple {...ids} onChange={({ currentTarget }) => void add(currentTarget)} />}
      </Field>
      {error !== undefined && <Problem error={error} />}
      {!areKept && <p className={styles.note}>These files are too large to be kept when you leave this page.</p>}
      <ul className={styles.attachments} aria-label="Attached files">
        {attachments.map((attachment, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two files may be equal
          <li key={index}>
            <bdi>{attachment.filename}</bdi>
            <span className={styles.size}>{formatSize((attachment.content.length / 4) * 3)}</span>
            <IconButton
              label={`Remove ${attachment.filename}`}
              icon={X}
              onClick={() => onChange((before) => before.filter((each) => each !== attachment))}
            />
          </li>
        ))}
      </ul>
    </div>
  );
}

async function attachmentOf(file: File): Promise<AttachmentInput> {
  return {
    filename: file.name,
    content: base64Of(new Uint8Array(await file.arrayBuffer())),
    contentType: file.type || 'application/octet-stream',
  };
}
