/** Defines what browsers may do with content of emails. */

/** Scripts do not run, and the page has an origin of its own. A link opens in a tab without these limits. */
const SANDBOX = 'sandbox allow-popups allow-popups-to-escape-sandbox';

/** The policy of a file of an email: it loads and runs nothing. */
export const FILE_POLICY = "default-src 'none'; frame-ancestors 'self'; sandbox";

export interface FramePolicy {
  /** Where the attachments of the email come from. */
  contentUrl: string;
  /** The origins without TLS that the frame may load from; undefined if it loads from no other server. */
  hosts: readonly string[] | undefined;
}

/** Returns the Content-Security-Policy of an email's HTML. */
export function framePolicy({ contentUrl, hosts }: FramePolicy): string {
  // Not `http:`: that would include this server, whose tracking pixels must not be requested.
  const remote = hosts === undefined ? '' : ` https: ${hosts.join(' ')}`.trimEnd();
  return [
    "default-src 'none'",
    `style-src 'unsafe-inline'${remote}`,
    `img-src data: ${contentUrl}${remote}`,
    `font-src data:${remote}`,
    ...(hosts === undefined ? [] : [`media-src${remote}`]),
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'self'",
    SANDBOX,
  ].join('; ');
}
