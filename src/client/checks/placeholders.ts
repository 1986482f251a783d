import { findLeftOvers } from '../../html/left-overs.js';
import { type Check, type CheckedEmail, failed, listed, passed, quote } from './check.js';

/** Checks that the subject, the text, the HTML and its links have no placeholders left. */
export function checkNoPlaceholders({ subject, text, html, links }: CheckedEmail): Check {
  const name = 'no-placeholders';
  const found = findLeftOvers({ subject, text, html, links: links.map(({ href }) => href) });
  if (found.length === 0) return passed(name, 'found none');
  const lines = found.map(({ value, context, place }) => {
    const where = `${value} in ${place}`;
    return context === value ? where : `${where}: ${quote(context)}`;
  });
  return failed(name, `found ${listed(lines)}`);
}
