import type { FastifyReply } from 'fastify';
import { escapeHtml } from '../../contract/vocabulary/text.js';
import type { Ids } from '../../core/ports.js';
import { PRIVATE_HEADERS } from '../response/headers.js';

/** Sends small pages without scripts: about links of emails, and about content that cannot be shown. */

const NONCE_CHARACTERS = 22;

const STYLE = `
  :root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
  body { max-width: 40rem; margin: 12vh auto 0; padding: 0 1.25rem; }
  h1 { font-size: 1.25rem; margin: 0 0 .75rem; }
  p { margin: 0 0 1rem; }
  .address { unicode-bidi: isolate; overflow-wrap: anywhere; font-family: ui-monospace, monospace; font-size: .9rem; padding: .75rem 1rem;
    border: 1px solid color-mix(in srgb, currentColor 25%, transparent); border-radius: .5rem; }
  .note { font-size: .9rem; opacity: .8; }
  .open { display: inline-block; padding: .5rem 1rem; border-radius: .5rem; text-decoration: none;
    background: light-dark(#1d4ed8, #93b4ff); color: light-dark(#fff, #0b1020); }
  .open:focus-visible { outline: 3px solid currentColor; outline-offset: 2px; }
`;

export interface MessagePage {
  title: string;
  /** HTML of the content, escaped. */
  content: string;
}

/** Sends a page. It may be shown in a frame of the inbox only if `isFramed`. */
export function sendMessagePage(
  reply: FastifyReply,
  status: number,
  { title, content }: MessagePage,
  { ids, isFramed = false }: { ids: Pick<Ids, 'secret'>; isFramed?: boolean },
): FastifyReply {
  const nonce = ids.secret(NONCE_CHARACTERS);
  const policy = [
    "default-src 'none'",
    // The empty icon, without which the browser requests /favicon.ico.
    'img-src data:',
    `style-src 'nonce-${nonce}'`,
    "base-uri 'none'",
    "form-action 'none'",
    `frame-ancestors ${isFramed ? "'self'" : "'none'"}`,
  ];
  return reply
    .code(status)
    .headers(PRIVATE_HEADERS)
    .header('content-type', 'text/html; charset=utf-8')
    .header('content-security-policy', policy.join('; '))
    .header('referrer-policy', 'no-referrer')
    .header('x-dns-prefetch-control', 'off')
    .send(`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
<link rel="icon" href="data:,">
<style nonce="${nonce}">${STYLE}</style>
</head>
<body>
<main>
<h1>${escapeHtml(title)}</h1>
${content}
</main>
</body>
</html>
`);
}
