import { describeFailure } from '../../../api/failures.js';
import { Loading } from '../../../components/loading.js';
import type { EmailDetails } from '../types.js';
import { useAttachment } from '../use-bytes.js';
import styles from './attachments-tab.module.css';
import { readInvitation } from './invitation.js';

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
