import { escapeHtml } from '../../contract/vocabulary/helpers/escape-html.js';
import type { Core } from '../../core/context.js';
import type { Email, StoredRecipient } from '../../core/model/emails.js';

/** Each of them, so that no style sheet of the email changes it. */
const STYLE =
  'all:initial;display:block;padding:0 0 12px;border-bottom:1px solid #999;margin:0 0 12px;background:#fff;color:#000;' +
  'font:14px/1.5 sans-serif;overflow-wrap:anywhere';
const LABELS = { to: 'To', cc: 'Cc', bcc: 'Bcc' } as const;
/** An email may have a thousand recipients. */
const RECIPIENTS_SHOWN = 50;

/** Returns the subject, the addresses and the time of an email as HTML, for the top of its first printed page. */
export async function printedHead(email: Email, { store }: Pick<Core, 'store'>): Promise<string> {
  const recipients = await store.read.emails.recipients(email.id);
  const fields = [
    ['From', email.from],
    ...(['to', 'cc', 'bcc'] as const).map((kind) => [LABELS[kind], addressesOf(recipients, kind)] as const),
    ['Date', new Date(email.createdAt).toUTCString()],
  ] as const;
  const subject = escapeHtml(email.subject || '(no subject)');
  const lines = fields
    .filter(([, value]) => value !== '')
    .map(([label, value]) => `<br>${label}: <bdi>${escapeHtml(value)}</bdi>`);
  return `<title>${subject}</title><div style="${STYLE}"><b><bdi>${subject}</bdi></b>${lines.join('')}</div>`;
}

function addressesOf(recipients: readonly StoredRecipient[], kind: StoredRecipient['kind']): string {
  const addresses = recipients.filter((each) => each.kind === kind).map(({ address }) => address);
  const more = addresses.length - RECIPIENTS_SHOWN;
  return addresses.slice(0, RECIPIENTS_SHOWN).join(', ') + (more > 0 ? ` and ${more} more` : '');
}
