import type { LiveEvent } from '../api/live.js';
import { basePath } from '../api/site.js';
import { readStored, writeStored } from './stored.js';

/** Desktop notifications of new email, which the user can turn on. */

const KEY = 'svc-notifications';

export function areNotificationsOn(): boolean {
  return readStored(KEY) === 'on' && 'Notification' in window && Notification.permission === 'granted';
}

/** Turns notifications on or off, and asks the browser for permission. Returns whether they are on. */
export async function setNotifications(on: boolean): Promise<boolean> {
  const allowed = on && 'Notification' in window && (await Notification.requestPermission()) === 'granted';
  writeStored(KEY, allowed ? 'on' : 'off');
  return allowed;
}

/** Shows a notification of a new email while the page is in the background. */
export function notifyOf({ type, data }: LiveEvent): void {
  if (type !== 'email.sent' || !document.hidden || !areNotificationsOn()) return;
  try {
    const notification = new Notification(data.subject || '(no subject)', { body: data.to ?? '', tag: 'svc-email' });
    notification.onclick = () => {
      window.focus();
      if (data.email_id) location.assign(`${basePath()}/inbox/emails/${data.email_id}`);
    };
  } catch {
    // Chrome for Android allows notifications of service workers only.
  }
}
