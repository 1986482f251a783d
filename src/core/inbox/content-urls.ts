import { INBOX_CONTENT_PATH } from '../../contract/vocabulary/inbox.js';
import type { ColorScheme } from '../ports.js';
import type { UrlSigner } from './url-signer.js';

/** Creates the signed URLs of an email's content. The routes of `src/http/inbox/content.ts` serve them. */

/** Types of images that browsers display without running anything. */
const IMAGE_TYPES = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'image/avif', 'image/bmp']);

/** Returns the type to display an attachment with; undefined for one that is only downloaded. */
export function imageType(contentType: string): string | undefined {
  const type = contentType.split(';', 1)[0]?.trim().toLowerCase() ?? '';
  return IMAGE_TYPES.has(type) ? type : undefined;
}

/** Parameters of a signed URL, besides its expiry. */
export interface ContentParameters {
  /** `yes` if the frame may load content of other servers. */
  remote?: 'yes';
  /** The position of the recipient whose copy to show. */
  recipient?: string;
  /** `yes` for an image to display. */
  display?: 'yes';
}

/** Parameters of a URL of HTML, which the page may add to it. */
export interface FrameParameters extends ContentParameters {
  color_scheme?: ColorScheme;
  /** `yes` for a page to print, which begins with the subject and the addresses. */
  print?: 'yes';
  /** The mail client to show the email as. */
  client?: string;
  /** `off` for a mail client that shows no images. */
  images?: 'off';
}

export type ContentPart = 'html' | 'raw' | 'eml' | `attachments/${number}`;

/** Returns a function that signs the URLs of one email, all with the same expiry. */
export function contentUrls(signer: UrlSigner, emailId: string, expiresAt: number) {
  return (part: ContentPart, parameters: ContentParameters = {}): string =>
    signer.sign(`${INBOX_CONTENT_PATH}${emailId}/${part}`, { ...parameters }, expiresAt);
}

/** Returns the URLs of the pages for a frame: without and with content of other servers. */
export function frameUrls(sign: ReturnType<typeof contentUrls>, recipient?: number) {
  const parameters = recipient === undefined ? {} : { recipient: String(recipient) };
  return { html: sign('html', parameters), html_remote: sign('html', { ...parameters, remote: 'yes' }) };
}
