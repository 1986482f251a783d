import type { Core } from '../../context.js';
import type { MailLink } from '../../model/search.js';
import { isTemporary } from '../../ports.js';
import { CLICK_PATH, linkTarget } from '../tracking/tracking.js';

/**
 * Replaces svc's own tracked links by their targets. A message has them if an application sends the delivered HTML of
 * another email. Links whose target is unknown stay, and each link remains once.
 */
export async function untracked(
  links: readonly MailLink[],
  core: Pick<Core, 'store' | 'ids' | 'findHtmlLinks'>,
): Promise<MailLink[]> {
  if (!links.some(({ href }) => href.includes(CLICK_PATH))) return [...links];
  const byHref = new Map<string, MailLink>();
  for (const link of links) {
    const href = (await targetOf(link.href, core)) ?? link.href;
    const text = link.text === link.href ? href : link.text;
    const known = byHref.get(href);
    if (known?.kind === 'other') known.kind = link.kind;
    if (!known) byHref.set(href, { ...link, text, href });
  }
  return [...byHref.values()];
}

async function targetOf(
  href: string,
  core: Pick<Core, 'store' | 'ids' | 'findHtmlLinks'>,
): Promise<string | undefined> {
  const { pathname } = new URL(href);
  if (!pathname.startsWith(CLICK_PATH)) return undefined;
  try {
    return await linkTarget(pathname.slice(CLICK_PATH.length), core);
  } catch (error) {
    if (isTemporary(error)) throw error;
    return undefined;
  }
}
