import { createHmac, timingSafeEqual } from 'node:crypto';
import { CONTENT_URL_MINUTES, INBOX_CONTENT_PATH } from '../../contract/vocabulary/inbox.js';
import { MINUTE_MS } from '../../contract/vocabulary/limits.js';
import type { Core } from '../context.js';
import type { ColorScheme } from '../ports.js';
import { TICKET_CHARACTERS, type TicketDeps } from './tickets.js';

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

/** Signs URLs of this server, so that frames and downloads need neither a key nor a cookie. */

const EXPIRES = 'expires';
/** The last parameter: everything before it is signed. */
const SIGNATURE = '&signature=';

export type UrlState = 'valid' | 'expired' | 'forged';

export class UrlSigner {
  constructor(
    private readonly clock: Pick<Core['clock'], 'systemNow'>,
    private readonly key: string,
    private readonly basePath = '',
  ) {}

  /** Returns when a URL that is signed now expires, in milliseconds since 1970 of system time. */
  expiry(): number {
    return this.clock.systemNow() + CONTENT_URL_MINUTES * MINUTE_MS;
  }

  /** Signs a path with parameters. The URL begins with the base path, which is not signed. Without `expiresAt`, the URL is valid as long as the key. */
  sign(path: string, parameters: Record<string, string>, expiresAt?: number): string {
    const query = new URLSearchParams(parameters);
    query.set(EXPIRES, expiresAt === undefined ? 'never' : String(expiresAt));
    const claim = `${path}?${query}`;
    return `${this.basePath}${claim}${SIGNATURE}${this.#signatureOf(claim)}`;
  }

  /** Checks a URL as it was requested, from its path on and without the base path. */
  check(url: string): UrlState {
    const at = url.lastIndexOf(SIGNATURE);
    const claim = url.slice(0, Math.max(0, at));
    const signature = Buffer.from(url.slice(at + SIGNATURE.length));
    const expected = Buffer.from(this.#signatureOf(claim));
    if (at === -1 || signature.length !== expected.length || !timingSafeEqual(signature, expected)) return 'forged';
    const expires = new URLSearchParams(claim.slice(claim.indexOf('?'))).get(EXPIRES);
    return expires === 'never' || Number(expires) > this.clock.systemNow() ? 'valid' : 'expired';
  }

  #signatureOf(claim: string): string {
    return createHmac('sha256', this.key).update(claim).digest('base64url');
  }
}

/** The part of a content URL that names a preview instead of an email. */
export const PREVIEWS = 'previews';

/** Keeps rendered HTML of templates, for the frames of the inbox. */
export class Previews {
  constructor(private readonly deps: Pick<TicketDeps, 'ids' | 'kept'>) {}

  /**
   * Keeps HTML until it expires. Returns its ID.
   * @param expiresAt milliseconds since 1970, in system time
   */
  async add(html: string, expiresAt: number): Promise<string> {
    const id = this.deps.ids.secret(TICKET_CHARACTERS);
    await this.deps.kept.put(keyOf(id), html, expiresAt);
    return id;
  }

  /** Returns the HTML of a preview; undefined if it has expired or newer ones replaced it. Its URL limits how long it is valid. */
  find(id: string): Promise<string | undefined> {
    return this.deps.kept.find(keyOf(id));
  }
}

function keyOf(id: string): string {
  return `preview ${id}`;
}
