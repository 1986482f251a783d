import { LINKS_MAX, URL_MAX } from './limits.js';

const URLS = /\bhttps?:\/\/[^\s<>"]+/g;
/** Characters that end a sentence or close a bracket rather than a URL. */
const CLOSING = new Set('.,;:!?)]');

/** Two slashes and two characters. */
const SHORTEST_HOST = 4;

/** Finds the URLs of a plain text, each once and in order, at most LINKS_MAX. */
export function findTextLinks(text: string): string[] {
  const found = new Set<string>();
  for (const [url] of text.matchAll(URLS)) {
    let end = url.length;
    while (CLOSING.has(url[end - 1] ?? '')) end -= 1;
    const isUrl = end >= url.indexOf('//') + SHORTEST_HOST && end <= URL_MAX;
    if (isUrl) found.add(url.slice(0, end));
    if (found.size === LINKS_MAX) break;
  }
  return [...found];
}
