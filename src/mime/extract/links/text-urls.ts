import { LINKS_MAX, URL_MAX } from '../../limits.js';

const START = /\bhttps?:\/\//gi;
/** Ends a URL: whitespace, quotation marks, and the characters of languages that put no space after a URL. */
const END = /[\s<>"\u00ab\u00bb\u201c-\u201e\u3000-\u30ff\u3400-\u9fff\uac00-\ud7af\uff00-\uffef]/g;
/** Characters that end a sentence or close a bracket rather than a URL. */
const CLOSING = new Set(".,;:!?'\u2019*_]}");
/** Two slashes and two characters. */
const SHORTEST_HOST = 4;

/** Finds the URLs of a plain text in order, at most LINKS_MAX. */
export function findUrls(text: string): { url: string; start: number }[] {
  const found: { url: string; start: number }[] = [];
  let from = 0;
  for (const { index, 0: scheme } of text.matchAll(START)) {
    if (index < from) continue;
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
