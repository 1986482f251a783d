import { type FrameUrls, TRACKING_PATH } from './frame-urls.js';

/** Writes text so that no `<` in it begins a tag. */

export function escapeText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

export function escapeValue(value: string): string {
  return value.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}

/** The marks around style sheets for browsers without any. */
const OLD_MARKS = /<!--|-->/g;
/** What a browser may read as the start of a tag, if it does not read the text as a style sheet. */
const TAG_START = /<(?=[a-z/!?])/gi;
/** An address of the attachments: `url(cid:…)`. */
const CID_URL = /url\(\s*(["']?)(cid:[^"'()\s]*)\1\s*\)/gi;
/** The address of another server: `url(https://…)` or `@import "//…"`. */
const REMOTE_RESOURCE = /(url\(\s*(?:["']\s*)?|@import\s*["']\s*)(?:https?:)?\/\/[^\s"'()<>]*/gi;
/** Words that can be addresses, and the path of a tracking pixel or link in one. CSS escapes can spell both differently. */
const WORD = /[^\s"'()<>]+/g;

/** A condition on the color scheme that the user prefers. */
const PREFERENCE = /\(\s*prefers-color-scheme\s*:\s*(light|dark)\s*\)/gi;

/** Returns the text of a style sheet or a `style` attribute. A space after `<` changes no style. */
export function styleText(css: string, urls: FrameUrls): string {
  for (const [url] of css.matchAll(REMOTE_URL)) urls.allow(url);
  const loaded = urls.isRemoteAllowed ? css : css.replace(REMOTE_RESOURCE, '$1data:,');
  return loaded
    .replace(OLD_MARKS, '')
    .replace(CID_URL, (_, _quote, cid: string) => `url("${urls.attachment(cid) ?? 'data:,'}")`)
    .replace(WORD, (word) => (TRACKING_PATH.test(word) ? 'data:,' : word))
    .replace(PREFERENCE, (found, scheme: string) => urls.preference(scheme) ?? found)
    .replace(TAG_START, '< ');
}

const REMOTE_URL = /http:\/\/[^\s"'()<>]+/gi;
