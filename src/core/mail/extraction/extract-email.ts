import type { ServiceWarning } from '../../../contract/vocabulary/warnings.js';
import type { Core } from '../../context.js';
import type { Extracts, MailLink, UnextractedEmail } from '../../model/search.js';
import { type ExtractContent, type ExtractInput, isTemporary, UnprocessableError } from '../../ports.js';
import type { Transaction } from '../../transaction.js';
import { composedFields } from '../composed-fields.js';
import { CLICK_PATH } from '../tracking/tracking.js';
import { linkTarget } from '../tracking/visits.js';

export interface ExtractDeps extends Pick<Core, 'store' | 'ids' | 'findHtmlLinks'> {
  extractContent: ExtractContent;
  onInternalError(error: unknown): void;
}

/** What is found in an email, to be stored. */
export interface EmailExtracts {
  email: UnextractedEmail;
  extracts: Extracts;
  warnings: ServiceWarning[];
}

/**
 * Finds links, codes and header fields of an email. If that exceeds the limits of one message, they are empty, and a
 * warning has the reason.
 * @throws ProcessorUnavailableError if nothing can be processed now.
 */
export async function extractEmail(email: UnextractedEmail, deps: ExtractDeps): Promise<EmailExtracts> {
  const isComposed = email.origin === 'rest';
  const head = isComposed ? null : ((await deps.store.read.received.headOf(email.seq)) ?? null);
  const { extracts, warnings } = await contentOf(email, head, deps);
  return {
    email,
    extracts: isComposed ? { ...extracts, headers: composedFields(email, email.recipients) } : extracts,
    warnings,
  };
}

async function contentOf(
  { subject, html, text }: UnextractedEmail,
  head: Uint8Array | null,
  deps: ExtractDeps,
): Promise<{ extracts: Extracts; warnings: ServiceWarning[] }> {
  const input: ExtractInput = { subject, html, text, head };
  try {
    const { cut, failure, ...found } = await deps.extractContent(input);
    if (failure !== undefined) deps.onInternalError(new Error(`The kind of a link could not be found: ${failure}`));
    const extracts = { ...found, links: await untracked(found.links, deps) };
    const message = `The email has more links than the first ${found.links.length}, which are considered.`;
    return { extracts, warnings: cut ? [missing(message)] : [] };
  } catch (error) {
    if (isTemporary(error)) throw error;
    // Another error is a bug of svc, and would also fail the next time.
    if (!(error instanceof UnprocessableError)) deps.onInternalError(error);
    return { extracts: EMPTY, warnings: [missing(`The links could not be found. ${(error as Error).message}`)] };
  }
}

/** Writes extracts, unless they were written meanwhile or the email no longer exists. */
export async function insertExtracts(tx: Transaction, found: readonly EmailExtracts[]): Promise<void> {
  const set = await filterAtOnce(found, ({ email, extracts }) => tx.emails.setExtracts(email, extracts));
  for (const { email, warnings } of set) {
    for (const warning of warnings) await tx.emails.warn(email.id, warning);
  }
}

/** Returns what to store of an email whose extracts cannot be stored. */
export function withoutContent({ email }: EmailExtracts, error: unknown): EmailExtracts {
  const warnings = [missing(`The links could not be stored. ${(error as Error).message}`)];
  return { email, extracts: EMPTY, warnings };
}

const EMPTY: Extracts = { htmlText: '', links: [], codes: [], headers: [] };

/** Returns the warning that links are missing. */
export function missing(message: string): ServiceWarning {
  return { code: 'links_not_found', path: '', message };
}

/**
 * Returns the items for which `test` returns true. Tests all at once, and waits for all even if one fails, so that none
 * of them uses a transaction after its end.
 */
async function filterAtOnce<T>(items: readonly T[], test: (item: T) => Promise<boolean>): Promise<T[]> {
  const results = await Promise.allSettled(items.map(test));
  return items.filter((_, index) => {
    const result = results[index];
    if (result?.status === 'rejected') throw result.reason;
    return result?.value;
  });
}

/**
 * Replaces svc's own tracked links by their targets. A message has them if an application sends the delivered HTML of
 * another email. Links whose target is unknown stay, and each link remains once.
 */
async function untracked(
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
