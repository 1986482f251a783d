import { type ContentInput, type Finding, plainFinding } from './input.js';

/** Checks the parts of an email and their sizes. */

export function checkTextPart({ text }: ContentInput): Finding {
  if (text === null) return plainFinding('text-part', null, 'The plain text is not part of the file.');
  const characters = text.trim().length;
  const details = characters > 0 ? `The plain text has ${characters} characters.` : 'The email has HTML only.';
  return plainFinding('text-part', characters > 0, details);
}

/** Gmail cuts the HTML of longer messages, and shows a link to the rest. */
const CLIPPED_BYTES = 102 * 1024;

export function checkHtmlSize({ html }: ContentInput): Finding {
  const kilobytes = (Buffer.byteLength(html) / 1024).toFixed(1);
  return plainFinding('html-size', Buffer.byteLength(html) <= CLIPPED_BYTES, `The HTML has ${kilobytes} KB.`);
}
