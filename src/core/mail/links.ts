import type { Core } from '../context.js';
import { type HtmlLinks, UnprocessableError } from '../ports.js';

/**
 * Returns the first web link of an email, from its HTML or else its text; null if it has none, or if finding it exceeds
 * the limits of one message.
 * @throws ProcessorUnavailableError if links cannot be found now. The result is recorded, so a guess is not acceptable.
 */
export async function firstLink({ extractsOf }: Pick<Core, 'extractsOf'>, emailId: string): Promise<string | null> {
  return (await extractsOf(emailId))?.links.find(({ href }) => /^https?:/i.test(href))?.href ?? null;
}

/**
 * Returns the links of the HTML and the position for a pixel; undefined if finding them exceeds the limits of one
 * message.
 * @throws ProcessorUnavailableError if links cannot be found now.
 */
export async function htmlLinks(
  { findHtmlLinks }: Pick<Core, 'findHtmlLinks'>,
  html: string,
): Promise<HtmlLinks | undefined> {
  try {
    return await findHtmlLinks(html);
  } catch (error) {
    if (error instanceof UnprocessableError) return undefined;
    throw error;
  }
}
