import { shortTime, withVisibleOverrides } from '../components/format.js';
import { nameOf, recipientsText } from '../pages/emails/addresses.js';

/**
 * Draws rows into the shape that the page has at first, while the main script is still on its way. Its styles are in
 * index.html, with names that the short ones of other style sheets cannot equal.
 */

interface Row {
  to: string;
  from: string;
  subject: string;
  preview: string;
  created_at: string;
  read: boolean;
}

const SUBJECT_SHOWN = 300;

export function drawRows(emails: readonly Row[]): void {
  document.querySelector('.shape ul')?.replaceChildren(...emails.map(rowOf));
}

function rowOf({ to, from, subject, preview, created_at, read }: Row): HTMLElement {
  const row = document.createElement('li');
  const parts = [
    ['bdi', 'row-to', recipientsText(to)],
    ['bdi', 'row-from', withVisibleOverrides(nameOf(from)) || '(no sender)'],
    ['bdi', 'row-subject', withVisibleOverrides(subject.slice(0, SUBJECT_SHOWN)) || '(no subject)'],
    ['bdi', 'row-preview', preview],
    ['time', '', shortTime(new Date(created_at), new Date())],
  ] as const;
  for (const [tag, name, text] of parts) {
    const part = document.createElement(tag);
    part.className = name;
    part.textContent = text;
    row.append(part);
  }
  row.classList.toggle('unread', !read);
  return row;
}
