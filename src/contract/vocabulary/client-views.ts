/** Names the mail clients whose view of an email svc can build. Their rules are in `src/mime/views/`. */

/** What flags and addresses contain. */
export type ClientViewId =
  | 'gmail'
  | 'gmail.android'
  | 'gmail.ios'
  | 'outlook'
  | 'outlook.windows'
  | 'apple-mail'
  | 'yahoo';

export interface ClientViewName {
  name: ClientViewId;
  title: string;
  /** Whether the view can be shown. Without it, there is only a list of differences. */
  hasPicture: boolean;
}

export const clientViews: readonly ClientViewName[] = [
  { name: 'gmail', title: 'Gmail (web)', hasPicture: true },
  { name: 'gmail.android', title: 'Gmail (Android)', hasPicture: true },
  { name: 'gmail.ios', title: 'Gmail (iOS)', hasPicture: true },
  { name: 'outlook', title: 'Outlook (new, web)', hasPicture: true },
  { name: 'outlook.windows', title: 'Outlook (classic, Windows)', hasPicture: false },
  { name: 'apple-mail', title: 'Apple Mail', hasPicture: true },
  { name: 'yahoo', title: 'Yahoo Mail (web)', hasPicture: true },
];

/** The names of the views that can be shown. */
export const shownClients: ClientViewId[] = clientViews.flatMap((each) => (each.hasPicture ? [each.name] : []));

/** Returns the view with a name; undefined for another name. */
export function clientViewNamed(name: string): ClientViewName | undefined {
  return clientViews.find((each) => each.name === name.toLowerCase());
}
