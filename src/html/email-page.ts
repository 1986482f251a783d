import { escapeHtml } from '../contract/vocabulary/text.js';
import { type InlineImages, withImages } from './inline-images.js';

/**
 * Builds the page that shows an email in a browser from a file. The email is in a sandboxed frame without scripts, and
 * the policy applies to it too: an email must not run as a local page, read other files or report that it was opened.
 * No policy keeps a browser from connecting ahead of time, so the elements that cause it are replaced, and DNS
 * prefetching is off.
 */

const POLICY = [
  "default-src 'none'",
  'img-src data:',
  'font-src data:',
  "style-src 'unsafe-inline'",
  "form-action 'none'",
  "base-uri 'none'",
].join('; ');

const NO_PREFETCH = '<meta http-equiv="x-dns-prefetch-control" content="off">';

/** A link opens in a tab of its own, which is not sandboxed, once it is clicked. */
const SANDBOX = 'allow-popups allow-popups-to-escape-sandbox';

const STYLE = `
  html, body { height: 100%; margin: 0; }
  body { display: flex; flex-direction: column; font: 14px/1.5 system-ui, sans-serif; color: #1f2328; background: #fff; }
  header { padding: 12px 16px; border-bottom: 1px solid #d1d9e0; }
  h1 { margin: 0; font-size: 18px; }
  p { margin: 0; overflow-wrap: anywhere; }
  iframe { flex: 1; border: 0; }
`;

type Shown = Record<'from' | 'to' | 'subject' | 'html' | 'text', string>;

/** The start of every page, by which svc recognizes its own. */
export const PAGE_START = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="generator" content="svc">
`;

/** Returns the page as HTML. */
export function emailPage({ from, to, subject, html, text }: Shown, images: InlineImages): string {
  const body =
    html === ''
      ? `<pre style="white-space: pre-wrap">${escapeHtml(text)}</pre>`
      : withImages(withoutConnections(html), images);
  return `${PAGE_START}<meta http-equiv="Content-Security-Policy" content="${escapeHtml(POLICY)}">
<meta name="referrer" content="no-referrer">
${NO_PREFETCH}
<meta name="viewport" content="width=device-width">
<title>${escapeHtml(subject || '(no subject)')}</title>
<style>${STYLE}</style>
</head>
<body>
<header>
<h1>${escapeHtml(subject || '(no subject)')}</h1>
<p>From: ${escapeHtml(from)}</p>
<p>To: ${escapeHtml(to)}</p>
</header>
<iframe title="Email" sandbox="${SANDBOX}" srcdoc="${escapeHtml(`${NO_PREFETCH}<base target="_blank">${body}`)}"></iframe>
</body>
</html>
`;
}

/**
 * Elements that make a browser connect to their address, whatever the policy is, and elements that parse the same and do
 * nothing. All texts that look like one of their tags are replaced: what is a tag depends on the browser's parser.
 */
const CONNECTING_TAG = /<(\/?)(link|i?frame)(?=[\s/>])/gi;
const INERT: Readonly<Record<string, string>> = { link: 'meta', frame: 'meta', iframe: 'noembed' };

function withoutConnections(html: string): string {
  return html.replace(CONNECTING_TAG, (_, slash: string, name: string) => `<${slash}${INERT[name.toLowerCase()]}`);
}
