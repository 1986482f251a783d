import { X } from 'lucide-react';
import { useState } from 'react';
import { ATTACHMENTS_BYTES } from '../../../contract/vocabulary/limits.js';
import type { AttachmentInput } from '../../api/attachments.js';
import { IconButton } from '../../components/button.js';
import { Field } from '../../components/form/field.js';
import { formatSize } from '../../components/format.js';
import { Problem, ProblemText } from '../../components/states.js';
import styles from './compose-page.module.css';

/** As the server counts them. */
const BYTES_PER_MB = 2 ** 20;
const LIMIT = `${ATTACHMENTS_BYTES / BYTES_PER_MB} MB in all`;

interface Props {
  attachments: readonly AttachmentInput[];
  /** Whether they remain when the user leaves the page. */
  areKept: boolean;
  onChange(change: (before: readonly AttachmentInput[]) => readonly AttachmentInput[]): void;
}

/** Files of this machine, and attachments of the email that the draft is made of. */
export function AttachmentsField({ attachments, areKept, onChange }: Props) {
  const [error, setError] = useState<unknown>();
  const [tooLarge, setTooLarge] = useState<string>();
  const add = async (input: HTMLInputElement) => {
    const files = [...(input.files ?? [])];
    const sizes = [...attachments.map(sizeOf), ...files.map(({ size }) => size)];
    if (sizes.reduce((sum, size) => sum + size, 0) > ATTACHMENTS_BYTES) {
      setTooLarge(`${files.length === 1 ? `${files[0]?.name} is` : `${files.length} files are`} not attached`);
      input.value = '';
      return;
    }
    setTooLarge(undefined);
    try {
      const added = await Promise.all(files.map(attachmentOf));
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
      <Field label="Attachments" name="attachments" hint={`At most ${LIMIT}.`}>
        {(ids) => <input type="file" multiple {...ids} onChange={({ currentTarget }) => void add(currentTarget)} />}
      </Field>
      {tooLarge && <ProblemText message={`${tooLarge}: at most ${LIMIT} can be sent.`} />}
      {error !== undefined && <Problem error={error} />}
      {!areKept && <p className={styles.note}>These files are too large to be kept when you leave this page.</p>}
      <ul className={styles.attachments} aria-label="Attached files">
        {attachments.map((attachment, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two files may be equal
          <li key={index}>
            <bdi>{attachment.filename}</bdi>
            <span className={styles.size}>{formatSize(sizeOf(attachment))}</span>
            <IconButton
              label={`Remove ${attachment.filename}`}
              icon={X}
              onClick={() => {
                setTooLarge(undefined);
                onChange((before) => before.filter((each) => each !== attachment));
              }}
            />
          </li>
        ))}
      </ul>
    </div>
  );
}

/** Returns the bytes of an attachment, whose content is in base64. */
function sizeOf({ content }: AttachmentInput): number {
  const padding = content.endsWith('==') ? 2 : content.endsWith('=') ? 1 : 0;
  return (content.length / 4) * 3 - padding;
}

async function attachmentOf(file: File): Promise<AttachmentInput> {
  return {
    filename: file.name,
    content: await base64In(file),
    contentType: file.type || 'application/octet-stream',
  };
}

/** Returns a file in base64. The browser encodes it without blocking the page. */
function base64In(file: File): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => {
      const url = reader.result as string;
      resolve(file.size === 0 ? '' : url.slice(url.indexOf(',') + 1));
    };
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(file);
  });
}
