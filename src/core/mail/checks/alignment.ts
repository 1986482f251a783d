/** Compares domains as DMARC does: RFC 7489, section 3.1. */

/** Two labels below which anyone can register a domain, such as co.uk. */
const PUBLIC_SUFFIX = /^(?:ac|co|com|edu|go|gob|gov|gv|ne|net|or|org)\.[a-z]{2}$/;

/**
 * Returns whether two domains belong to one organization, as in relaxed alignment. The usual public suffixes count; the
 * whole list is not used.
 */
export function isAligned(a: string, b: string): boolean {
  return organizationOf(a) === organizationOf(b);
}

function organizationOf(domain: string): string {
  const labels = domain.toLowerCase().split('.');
  const two = labels.slice(-2).join('.');
  return labels.slice(PUBLIC_SUFFIX.test(two) ? -3 : -2).join('.');
}
