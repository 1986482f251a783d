import type { ServiceWarning } from '../../contract/vocabulary/warnings.js';
import type { Core } from '../context.js';
import type { Email } from '../model/emails.js';
import { type HtmlLinks, ProcessorUnavailableError, UnprocessableError } from '../ports.js';

type Finders = Pick<Core, 'findHtmlLinks' | 'findTextLinks'>;

export interface MailLinks {
  /** Each URL once and in order: the links of the HTML, or the URLs of the text if it has none. */
  urls: string[];
  /** The reasons why URLs may be missing. */
  warnings: ServiceWarning[];
}

/** Returns the links of an email for display. If they cannot be found, a warning contains the reason. */
export async function mailLinks(finders: Finders, email: Email): Promise<MailLinks> {
  try {
    return await findLinks(finders, email);
  } catch (error) {
    if (!(error instanceof UnprocessableError || error instanceof ProcessorUnavailableError)) throw error;
    return { urls: [], warnings: [missing(`The links could not be found. ${error.message}`)] };
  }
}

/**
 * Returns the first link of an email, from its HTML or else its text; null if it has none, or if finding it exceeds the
 * limits of one message.
 * @throws ProcessorUnavailableError if links cannot be found now. The result is recorded, so a guess is not acceptable.
 */
export async function firstLink(finders: Finders, email: Email): Promise<string | null> {
  const found = await unlessUnprocessable(findLinks(finders, email));
  return found?.urls[0] ?? null;
}

/**
 * Returns the links of the HTML and the position for a pixel; undefined if finding them exceeds the limits of one
 * message.
 * @throws ProcessorUnavailableError if links cannot be found now.
 */
export async function htmlLinks(finders: Pick<Core, 'findHtmlLinks'>, html: string): Promise<HtmlLinks | undefined> {
  return unlessUnprocessable(finders.findHtmlLinks(html));
}

async function findLinks(finders: Finders, email: Email): Promise<MailLinks> {
  const { links, cut } = await finders.findHtmlLinks(email.html);
  if (links.length === 0) return { urls: await finders.findTextLinks(email.text), warnings: [] };
  const warnings = cut
    ? [missing(`The HTML has more links than the first ${links.length}, which are considered.`)]
    : [];
  return { urls: [...new Set(links.map(({ url }) => url))], warnings };
}

function missing(message: string): ServiceWarning {
  return { code: 'links_not_found', path: '', message };
}

async function unlessUnprocessable<T>(finding: Promise<T>): Promise<T | undefined> {
  try {
    return await finding;
  } catch (error) {
    if (error instanceof UnprocessableError) return undefined;
    throw error;
  }
}
