import type { Core } from './context.js';
import type { Email } from './model.js';

const URL_IN_TEXT = /\bhttps?:\/\/[^\s<>"]+[^\s<>".,;:!?)\]]/;

/** The first link of an email, of its HTML or else of its text. */
export async function firstLink({ findHtmlLinks }: Pick<Core, 'findHtmlLinks'>, email: Email): Promise<string | null> {
  const { links } = await findHtmlLinks(email.html);
  return links[0]?.url ?? URL_IN_TEXT.exec(email.text)?.[0] ?? null;
}
