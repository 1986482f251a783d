import type { FastifyRequest } from 'fastify';

/** Reads what browsers send about themselves: the inbox's cookie, and from where a request comes. */

/** The form of the cookie's value. */
const COOKIE = /^[A-Za-z0-9]{43}$/;

/**
 * Returns the name of the cookie that binds a session to a browser. Browsers send it to every port of the host: that is
 * why it proves nothing without the session's token, and why its name contains the port.
 */
export function inboxCookieName({ headers: { host = '' } }: Pick<FastifyRequest, 'headers'>): string {
  return `svc_inbox_${/:(\d+)$/.exec(host)?.[1] ?? '80'}`;
}

/** Returns the values of the cookie. There are several if a page of another port set one for a path. */
export function inboxCookies(request: Pick<FastifyRequest, 'headers'>): string[] {
  const name = inboxCookieName(request);
  return (request.headers.cookie ?? '').split(';').flatMap((pair) => {
    const [key = '', value = ''] = pair.trim().split('=', 2);
    return key === name && COOKIE.test(value) ? [value] : [];
  });
}

/** Returns the origin that a browser uses: https if this server or a trusted proxy has TLS, or one at the public URL. */
export function originOf({ protocol, host }: Pick<FastifyRequest, 'protocol' | 'host'>, publicUrl: string): string {
  const { origin, host: publicHost } = new URL(publicUrl);
  return host === publicHost ? origin : `${protocol}://${host}`;
}

/** Returns whether a page of this server sent the request. Browsers omit the header for http on other machines. */
export function isSameOrigin({ headers: { 'sec-fetch-site': site } }: Pick<FastifyRequest, 'headers'>): boolean {
  return site === undefined || site === 'same-origin';
}

/** Returns whether the request is a direct or same-origin navigation. */
export function isNavigation(request: Pick<FastifyRequest, 'headers'>): boolean {
  const { 'sec-fetch-dest': dest = 'document', 'sec-fetch-site': site } = request.headers;
  return dest === 'document' && (site === 'none' || isSameOrigin(request));
}
