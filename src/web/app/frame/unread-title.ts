import { useEffect } from 'react';
import { useControl } from '../../api/calls.js';
import { afterFrame } from '../../components/after-frame.js';

const SUBJECT_SHOWN = 100;

/** Shows the number of unread emails in the title and in the icon of the tab, or the subject of the opened email. */
export function useUnreadInTitle(page: string | undefined, emailId: string | undefined): void {
  const { data } = useControl('summary', {});
  const unread = data?.unread ?? 0;
  const email = useControl('emails.inspect', { params: { id: emailId ?? '' } }, { enabled: emailId !== undefined });
  const subject = emailId && email.data?.subject.slice(0, SUBJECT_SHOWN);
  useEffect(() => {
    document.title = subject
      ? `${subject} – svc inbox`
      : `${unread > 0 ? `(${unread}) ` : ''}${page ? `${page} – ` : ''}svc inbox`;
  }, [unread, page, subject]);
  useEffect(
    () =>
      afterFrame(() => {
        const link = document.querySelector<HTMLLinkElement>('link[rel="icon"]');
        if (link) link.href = `data:image/svg+xml,${encodeURIComponent(faviconFor(unread))}`;
      }),
    [unread],
  );
}

function faviconFor(unread: number): string {
  const count = unread > 99 ? '99+' : String(unread);
  const size = count.length > 2 ? 13 : 16;
  const badge =
    unread === 0
      ? ''
      : `<rect x="8" y="14" width="24" height="18" rx="9" fill="#d92d20"/><text x="20" y="28.5" font-family="sans-serif" font-size="${size}" font-weight="700" fill="#fff" text-anchor="middle">${count}</text>`;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="#2456d6"/><path d="M7 11.5 16 18l9-6.5M7 10h18v12.5H7z" fill="none" stroke="#fff" stroke-width="2.2" stroke-linejoin="round"/>${badge}</svg>`;
}
