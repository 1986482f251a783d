import type { Core } from './context.js';
import type { Email } from './model.js';

const URLS_IN_TEXT = /\bhttps?:\/\/[^\s<>"]+[^\s<>".,;:!?)\]]/g;

/** Where an email leads, each address once and in order: the links of its HTML, or when it has none the URLs of its text. */
export async function mailLinks({ findHtmlLinks }: Pick<Core, 'findHtmlLinks'>, email: Email): Promise<string[]> {
  const { links } = await findHtmlLinks(email.html);
  return [...new Set(links.length > 0 ? links.map(({ url }) => url) : email.text.match(URLS_IN_TEXT))];
}

/** The first link of an email, of its HTML or else of its text. */
export async function firstLink(core: Pick<Core, 'findHtmlLinks'>, email: Email): Promise<string | null> {
  const [first] = await mailLinks(core, email);
  return first ?? null;
}
