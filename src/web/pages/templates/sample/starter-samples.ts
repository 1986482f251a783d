import digest from '../../../../../templates/digest/sample.json' with { type: 'json' };
import invitation from '../../../../../templates/invitation/sample.json' with { type: 'json' };
import magicLink from '../../../../../templates/magic-link/sample.json' with { type: 'json' };
import passwordReset from '../../../../../templates/password-reset/sample.json' with { type: 'json' };
import receipt from '../../../../../templates/receipt/sample.json' with { type: 'json' };
import securityAlert from '../../../../../templates/security-alert/sample.json' with { type: 'json' };
import verifyAddress from '../../../../../templates/verify-address/sample.json' with { type: 'json' };
import welcome from '../../../../../templates/welcome/sample.json' with { type: 'json' };
import { placeholdersIn } from '../../../../contract/vocabulary/parsers/placeholders.js';
import type { Content } from '../types.js';

/** By the name of the starter template. */
const samples = new Map<string, Readonly<Record<string, unknown>>>(
  Object.entries({
    digest,
    invitation,
    'magic-link': magicLink,
    'password-reset': passwordReset,
    receipt,
    'security-alert': securityAlert,
    'verify-address': verifyAddress,
    welcome,
  }),
);

/**
 * Returns values for a template that has the name and the variables of a starter, which comes with them; otherwise none.
 * The API keeps no values with a template.
 */
export function starterSampleOf({ name, subject, html, text }: Content): Readonly<Record<string, unknown>> {
  const sample = samples.get(name) ?? {};
  const used = new Set([subject, html, text].flatMap(placeholdersIn).map((each) => each.name));
  return Object.keys(sample).every((variable) => used.has(variable)) ? sample : {};
}
