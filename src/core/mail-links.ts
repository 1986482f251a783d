import type { Core } from './context.js';
import type { Email } from './model.js';
import { type HtmlLinks, ProcessorUnavailableError, UnprocessableError } from './ports.js';

type Finders = Pick<Core, 'findHtmlLinks' | 'findTextLinks'>;

export interface MailLinks {
  /** Each address once and in order: the links of the HTML, or when it has none the URLs of the text. */
  urls: string[];
  /** Why there may be more. */
  warnings: string[];
}

/** Returns where an email leads. */
export async function mailLinks(finders: Finders, email: Email): Promise<MailLinks> {
  try {
    const { links, cut } = await finders.findHtmlLinks(email.html);
    if (links.length === 0) return { urls: await finders.findTextLinks(email.text), warnings: [] };
    const warnings = cut ? [`The HTML has more links than the first ${links.length}, which are considered.`] : [];
    return { urls: [...new Set(links.map(({ url }) => url))], warnings };
  } catch (error) {
    return { urls: [], warnings: [`The links could not be found. ${reasonOf(error)}`] };
  }
}

/** Returns the first link of an email, of its HTML or else of its text. */
export async function firstLink(finders: Finders, email: Email): Promise<string | null> {
  const [first] = (await mailLinks(finders, email)).urls;
  return first ?? null;
}

/** Returns the links of the HTML and the place of a pixel; undefined when finding them exceeds what one message may take. */
export async function htmlLinks(finders: Pick<Core, 'findHtmlLinks'>, html: string): Promise<HtmlLinks | undefined> {
  try {
    return await finders.findHtmlLinks(html);
  } catch (error) {
    reasonOf(error);
    return undefined;
  }
}

/** @throws the error when it is a fault of ours. */
function reasonOf(error: unknown): string {
  if (error instanceof UnprocessableError || error instanceof ProcessorUnavailableError) return error.message;
  throw error;
}
