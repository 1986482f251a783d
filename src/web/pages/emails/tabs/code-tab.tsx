import { useQuery } from '@tanstack/react-query';
import { escapeHtml } from '../../../../contract/vocabulary/text.js';
import { type AttachmentInput, readAttachments } from '../../../api/attachments.js';
import { useInbox } from '../../../api/calls.js';
import { json, jsString } from '../../../components/code/quote.js';
import { CopyButton } from '../../../components/copy-text.js';
import { formatSize } from '../../../components/format.js';
import { Section } from '../../../components/page/page.js';
import { Loading, Problem } from '../../../components/states.js';
import styles from '../tabs/code-tab.module.css';
import type { EmailDetails, TabProps } from '../types.js';
import { assertions, type Snippet } from './assertions.js';

/** Maximum bytes of attachments in code that sends them. */
const ATTACHMENTS_BYTES = 100_000;
/** Maximum characters of code to show. All of it is copied. */
const SHOWN = 20_000;

/** This email as code: a test that waits for it, and a request that sends it. */
export function CodeTab({ email }: TabProps) {
  const { client, info } = useInbox();
  const { id, attachments: stored } = email;
  const isSmall = stored.reduce((sum, { size }) => sum + size, 0) <= ATTACHMENTS_BYTES;
  const {
    data: attachments = [],
    isLoading,
    error,
  } = useQuery({
    queryKey: ['attachments', id],
    queryFn: ({ signal }) => readAttachments(client, id, stored, signal),
    enabled: isSmall && stored.length > 0,
  });
  return (
    <div className={styles.page}>
      <Section title="Wait for it in a test">
        {assertions(email, info.command_flags).map((snippet) => (
          <Code key={snippet.title} {...snippet} />
        ))}
      </Section>
      <Section title="Send it again">
        {!isSmall && (
          <p className={styles.hint}>Attachments of more than {formatSize(ATTACHMENTS_BYTES)} are left out.</p>
        )}
        {error && <Problem error={error} />}
        {isLoading && <Loading />}
        {!isLoading && requests(email, info, attachments).map((snippet) => <Code key={snippet.title} {...snippet} />)}
      </Section>
    </div>
  );
}

function Code({ title, hint, code }: Snippet) {
  const rest = code.length - SHOWN;
  return (
    <section className={styles.code} aria-label={title}>
      <header className={styles.head}>
        <h3>{title}</h3>
        <CopyButton text={code} label={`Copy: ${title}`} />
      </header>
      {hint && <p className={styles.hint}>{hint}</p>}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable text needs the keyboard too */}
      <pre tabIndex={0}>{code.slice(0, SHOWN)}</pre>
      {rest > 0 && <p className={styles.hint}>{formatSize(rest)} more are not shown. The button copies all of it.</p>}
    </section>
  );
}

/** Code that sends an email with the same content. */

interface Server {
  base_url: string;
  smtp: { host: string; port: number } | null;
  command_flags: string;
}

export function requests(email: EmailDetails, server: Server, attachments: readonly AttachmentInput[]): Snippet[] {
  const found: Snippet[] = [{ title: 'curl', hint: curlHint(email), code: curl(email, server, attachments) }];
  if (server.smtp) found.push({ title: 'Nodemailer', code: nodemailer(email, server.smtp, attachments) });
  return found;
}

function curlHint({ html }: EmailDetails): string {
  const env = 'The first line sets SVC_API_KEY.';
  return html === '' ? `${env} The API requires HTML, so the text is sent in both forms.` : env;
}

function addressesOf(email: EmailDetails, kind: 'to' | 'cc' | 'bcc'): string[] {
  return email.recipients.filter((each) => each.kind === kind).map(({ address }) => address);
}

function curl(
  email: EmailDetails,
  { base_url, command_flags }: Server,
  attachments: readonly AttachmentInput[],
): string {
  const { from, reply_to, subject, text, html, tags } = email;
  const [to, cc, bcc] = (['to', 'cc', 'bcc'] as const).map((kind) => addressesOf(email, kind));
  const body = filled({
    from,
    to,
    cc,
    bcc,
    reply_to,
    subject: subject || '(no subject)',
    html: html || `<pre>${escapeHtml(text || '(empty)')}</pre>`,
    text,
    tags,
    attachments,
  });
  return [
    `eval "$(svc dev env${command_flags})"`,
    `curl ${base_url}/emails -H "Authorization: Bearer $SVC_API_KEY" \\`,
    "  -H 'Content-Type: application/json' --data-binary @- <<'JSON'",
    json(body),
    'JSON',
  ].join('\n');
}

function nodemailer(
  email: EmailDetails,
  { host, port }: { host: string; port: number },
  attachments: readonly AttachmentInput[],
): string {
  const { from, reply_to, subject, text, html } = email;
  const [to, cc, bcc] = (['to', 'cc', 'bcc'] as const).map((kind) => addressesOf(email, kind));
  const files = attachments.map(({ contentType, ...file }) => ({ ...file, encoding: 'base64', contentType }));
  const fields = filled({ from, to, cc, bcc, replyTo: reply_to, subject, text, html, attachments: files });
  return [
    "import { createTransport } from 'nodemailer';",
    '',
    `const transport = createTransport({ host: ${jsString(host)}, port: ${port} });`,
    'await transport.sendMail({',
    ...Object.entries(fields).map(([name, value]) => `  ${name}: ${literal(value)},`),
    '});',
  ].join('\n');
}

/** Returns the fields that have a value. */
function filled(fields: Record<string, string | readonly unknown[] | null | undefined>) {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value?.length));
}

/** Returns a value as code of JavaScript on one line. */
function literal(value: unknown): string {
  if (typeof value === 'string') return jsString(value);
  if (Array.isArray(value)) return `[${value.map(literal).join(', ')}]`;
  const fields = Object.entries(value as object).map(([name, each]) => `${name}: ${literal(each)}`);
  return `{ ${fields.join(', ')} }`;
}
