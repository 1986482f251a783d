import type { Range } from '../checks/places.js';

/** Reads conditional comments as Word does: https://www.hteumeuleu.com/2020/outlook-rendering-engine/ */

const START = '<!--[if ';
const END = '<![endif]';
/** Characters of a condition. */
const CONDITION_MAX = 200;

/**
 * Returns HTML of the same length in which the comments for Outlook are no comments, and the content that Outlook leaves
 * out is empty. `found` gets the range of each.
 */
export function readConditionalComments(html: string, found: (range: Range) => void): string {
  const parts: string[] = [];
  let at = 0;
  for (let start = html.indexOf(START); start >= 0; start = html.indexOf(START, at)) {
    const end = html.indexOf(END, start);
    if (end < 0) break;
    const close = start + html.slice(start, start + CONDITION_MAX).indexOf(']>');
    if (close < start || end < close) {
      parts.push(html.slice(at, start + START.length));
      at = start + START.length;
      continue;
    }
    const contentStart = close + ']>'.length;
    const after = html.indexOf('>', end + END.length - 1);
    const rangeEnd = after < 0 ? html.length : after + 1;
    found({ start, end: rangeEnd });
    const isRead = isTrue(html.slice(start + START.length, close));
    parts.push(html.slice(at, start));
    parts.push(blank(html.slice(start, contentStart)));
    const content = html.slice(contentStart, end);
    parts.push(isRead ? content : blank(content));
    parts.push(blank(html.slice(end, rangeEnd)));
    at = rangeEnd;
  }
  return parts.join('') + html.slice(at);
}

/** Returns whether the newest Outlook, version 16 of Office, reads the content. */
function isTrue(condition: string): boolean {
  return /\bmso\b/i.test(condition) && !/!\s{0,9}\(?\s{0,9}mso|\blte?\s{1,9}mso/i.test(condition);
}

function blank(text: string): string {
  return text.replace(/[^\n]/g, ' ');
}
