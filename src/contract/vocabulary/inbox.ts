/** Defines paths and headers of the web inbox, for the server, the commands and the page. */

export const INBOX_PATH = '/inbox';
export const INBOX_ASSETS_PATH = '/inbox/assets/';
/** Content of emails for frames and downloads. Its URLs are signed. */
export const INBOX_CONTENT_PATH = '/inbox/content/';
/** Minutes for which such a URL is valid. */
export const CONTENT_URL_MINUTES = 5;
/** The page that shows where a link of an email leads. Its URLs are signed. */
export const INBOX_LEAVE_PATH = '/inbox/leave';
/** The start of the paths that the page of `svc templates dev` reads. */
export const PREVIEW_PATH = '/preview';
/** Where the page opens its session, below the prefix of the control API. */
export const INBOX_SESSION_PATH = '/inbox/session';
/** The header with the token of a session. */
export const INBOX_TOKEN_HEADER = 'X-Svc-Inbox';

/** How a client without the right to a session gets it. */
export const inboxLogins = ['link', 'password', 'reload'] as const;
export type InboxLogin = (typeof inboxLogins)[number];

/**
 * Returns the URL of a page of the inbox. Its code is in the fragment, which browsers do not send, so it reaches no log.
 * @param site the server's URL, with its base path
 * @param path the page, such as `/emails/msg_…`; empty for the first one
 */
export function inboxUrl(site: string, path = '', code?: string): string {
  return `${site}${INBOX_PATH}${path}${code === undefined ? '' : `#code=${code}`}`;
}
