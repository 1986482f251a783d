import type { CapturedEmail } from '../../client/operations.js';
import type { ServiceClient } from '../../client/service-client.js';
import { emailPage } from '../../html/email-page.js';
import { readContent, takePicture } from './pictures.js';

/** A file about an email in the report of a test. */
export interface ReportFile {
  name: string;
  contentType: string;
  body: Buffer;
}

/**
 * Returns what a report shows of an email: a page that is safe to open, its header with its links and codes, and a
 * picture where a browser can be started. What the server no longer has is left out.
 */
export async function reportFiles(
  client: ServiceClient,
  email: CapturedEmail,
  picture: boolean,
): Promise<ReportFile[]> {
  const { id, from, subject, html, text } = email;
  const to = email.recipients.map(({ address }) => address).join(', ');
  const [content, raw, png] = await Promise.all([
    readContent(client, email).catch(() => undefined),
    client.download('emails.raw', { params: { id } }).catch(() => undefined),
    picture ? takePicture(client, email).catch(() => undefined) : undefined,
  ]);
  const page = emailPage({ from, to, subject, html, text }, content?.images ?? new Map());
  return [
    ...(png ? [{ name: 'picture', contentType: 'image/png', body: Buffer.from(png) }] : []),
    { name: 'page', contentType: 'text/html', body: Buffer.from(page) },
    { name: 'header and links', contentType: 'text/plain', body: Buffer.from(headerAndLinks(email, raw)) },
  ];
}

function headerAndLinks({ links, codes }: CapturedEmail, raw: Uint8Array | undefined): string {
  const [header = ''] = raw ? new TextDecoder().decode(raw).split(/\r?\n\r?\n/, 1) : [];
  const lines = [
    ...(links.length > 0 ? ['Links:', ...links.map(({ href, text }) => `  ${href}  ${text}`)] : []),
    ...(codes.length > 0 ? ['Codes:', ...codes.map(({ value }) => `  ${value}`)] : []),
  ];
  return `${header}\n\n${lines.join('\n')}\n`;
}
