import { LINKS_MAX, URL_MAX } from '../../limits.js';

const START = /\b(?:https?|[a-z][a-z\d+.-]{1,30}):\/\//gi;
/** A scheme of the web behind a word that has no space after it. */
const WEB = /https?:\/\/$/i;
/** Schemes that open no app: scripts, local content, and protocols of servers, which texts show as settings. */
const OTHER_SCHEME =
  /^(?:javascript|vbscript|data|blob|file|filesystem|about|view-source|jar|resource|chrome|cid|mid|mailto|tel|sms|ftps?|sftp|ssh|git(?:\+\w+)?|svn(?:\+\w+)?|wss?|smtps?|lmtp|imaps?|pop3s?|ldaps?|jdbc|odbc|postgres(?:ql)?|mysql|mariadb|mongodb(?:\+srv)?|rediss?|amqps?|mqtts?|kafka|s3|gs|unix|tcp|udp|docker|oci|nats|grpc|socks\w*|rtsp|rtmp|smb|nfs|scp|rsync|telnet|irc|news|nntp|ms-msdt|search-ms):/i;
/** Ends a URL: whitespace, quotation marks, and the characters of languages that put no space after a URL. */
const END = /[\s<>"\u00ab\u00bb\u201c-\u201e\u3000-\u30ff\u3400-\u9fff\uac00-\ud7af\uff00-\uffef]/g;
/** Characters that end a sentence or close a bracket rather than a URL. */
const CLOSING = new Set(".,;:!?'\u2019*_]}");
/** Two slashes and two characters. */
const SHORTEST_HOST = 4;

/** Returns a link that opens an app, such as `myapp://reset?token=abc`; undefined for another one. */
export function appUrl(href: string): string | undefined {
  const url = href.trim().replace(/[\t\n\r]/g, '');
  const isApp = /^[a-z][a-z\d+.-]{1,30}:\/\/[\w-]/i.test(url) && !/^https?:/i.test(url) && !OTHER_SCHEME.test(url);
  return isApp && url.length <= URL_MAX && URL.canParse(url) ? url : undefined;
}

/** Lines of a URL in angle brackets. */
const WRAPPED_MAX = 60;
const OPENED = /<(?:URL:)?[a-z][a-z\d+.-]{1,30}:\/\/[^\s<>]*$/i;
const CONTINUED = /^\s{0,8}([^\s<>]+)\s*$/;
const CLOSED = /^\s{0,8}([^\s<>]*)>/;

/**
 * Returns the lines of a text in which a URL in angle brackets that is broken over lines is whole (RFC 3986, appendix
 * C). The number of lines stays the same.
 */
export function joinedLines(lines: readonly string[]): readonly string[] {
  if (!lines.some((line) => line.includes('<') && OPENED.test(line.trimEnd()))) return lines;
  const joined = [...lines];
  for (let at = 0; at < lines.length; at += 1) {
    const first = (joined[at] ?? '').trimEnd();
    if (!OPENED.test(first)) continue;
    const parts = [first];
    let next = at + 1;
    while (next < lines.length && parts.length < WRAPPED_MAX && CONTINUED.test(lines[next] ?? '')) {
      parts.push((lines[next] ?? '').trim());
      next += 1;
    }
    const end = CLOSED.exec(lines[next] ?? '');
    if (!end) continue;
    joined[at] = `${parts.join('')}${end[1]}>`;
    joined.fill('', at + 1, next);
    joined[next] = (lines[next] ?? '').slice(end[0].length);
    at = next - 1;
  }
  return joined;
}

/** Finds the URLs of a plain text in order, at most LINKS_MAX: links of the web and of apps. */
export function findUrls(text: string): { url: string; start: number }[] {
  const found: { url: string; start: number }[] = [];
  let from = 0;
  for (const match of text.matchAll(START)) {
    const scheme = WEB.exec(match[0])?.[0] ?? match[0];
    const index = match.index + match[0].length - scheme.length;
    if (index < from || OTHER_SCHEME.test(scheme)) continue;
    END.lastIndex = index + scheme.length;
    const stop = END.exec(text)?.index ?? text.length;
    from = stop;
    const url = withoutClosing(text.slice(index, stop));
    if (url.length < url.indexOf('//') + SHORTEST_HOST || url.length > URL_MAX || !URL.canParse(url)) continue;
    found.push({ url, start: index });
    if (found.length === LINKS_MAX) break;
  }
  return found;
}

/** Removes closing marks. A parenthesis stays if it closes one in the URL. */
function withoutClosing(url: string): string {
  let end = url.length;
  let open = 0;
  for (const character of url) open += character === '(' ? 1 : character === ')' ? -1 : 0;
  for (; end > 0; end -= 1) {
    const last = url[end - 1] ?? '';
    if (last === ')' && open < 0) open += 1;
    else if (!CLOSING.has(last)) break;
  }
  return url.slice(0, end);
}
