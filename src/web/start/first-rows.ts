import { shortTime, withVisibleOverrides } from '../components/format.js';
import { nameOf, recipientsText } from '../pages/emails/addresses.js';

/**
 * Draws rows into the shape that the page has at first, while the main script is still on its way. A click opens their
 * email, by loading its page; the keyboard and screen readers get the list of the main script, which has the focus. The
 * styles are in index.html, with names that the short ones of other style sheets cannot equal.
 */

interface Row {
  id: string;
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

function rowOf({ id, to, from, subject, preview, created_at, read }: Row): HTMLElement {
  const link = document.createElement('a');
  link.href = `/inbox/emails/${id}${location.search}`;
  link.tabIndex = -1;
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
    link.append(part);
  }
  link.classList.toggle('unread', !read);
  const row = document.createElement('li');
  row.append(link);
  return row;
}
