import { createHmac, timingSafeEqual } from 'node:crypto';
import { CONTENT_URL_MINUTES } from '../../contract/vocabulary/inbox.js';
import { MINUTE_MS } from '../../contract/vocabulary/limits.js';
import type { Core } from '../context.js';

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
