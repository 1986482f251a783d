import type { SMTPServerAddress, SMTPServerSession } from 'smtp-server';
import { FORM_PROBLEM, readAnyAddress } from '../contract/vocabulary/addresses.js';
import { isAscii } from '../contract/vocabulary/domains.js';
import type { ServiceWarning } from '../contract/vocabulary/warnings.js';

/** Reads the paths and parameters of MAIL and RCPT. RFC 5321 sections 4.1.1.11 and 4.1.2. */

/** A path whose local part is quoted, or whose domain has an underscore, as hosts of containers do. */
const UNUSUAL_PATH = /^([^<]*<)((?:"(?:[^"\\]|\\.)*"|[^"\s<>@]+)@[^"\s<>@]+)(>.*)$/s;
const PLACEHOLDER = 'user@example.com';

/** Returns a command with an address that smtp-server can read, and the address in its place, if that is unusual. */
export function readablePath(command: string): { command: string; address?: string } {
  const [, before = '', address = '', after = ''] = UNUSUAL_PATH.exec(command) ?? [];
  const isUnusual = address.startsWith('"') || address.slice(address.lastIndexOf('@')).includes('_');
  return isUnusual ? { command: `${before}${PLACEHOLDER}${after}`, address } : { command };
}

/** Returns why an address is refused; other forms of a domain than in requests are accepted (gap 36). */
export function problemOfPath(address: string): string | null {
  const read = readAnyAddress(address);
  if (!('problem' in read)) return null;
  // An envelope has no names.
  const problem = read.problem === FORM_PROBLEM ? 'must be user@host with a domain name' : read.problem;
  return `invalid address: ${problem}`;
}

/** The parameters of the extensions that the server offers, and AUTH of RFC 4954. */
const OFFERED = {
  from: ['SIZE', 'BODY', 'SMTPUTF8', 'RET', 'ENVID', 'AUTH', 'REQUIRETLS'],
  to: ['NOTIFY', 'ORCPT'],
};

/** A path as smtp-server has read it, and what its command announces. */
export type AnnouncedPath = SMTPServerAddress & { announced?: ServiceWarning[] };

/**
 * Returns what a command announces by its parameters.
 * @param withUtf8 whether MAIL had the parameter SMTPUTF8
 */
export function parameterWarnings(
  path: 'from' | 'to',
  command: string,
  args: SMTPServerAddress['args'],
  withUtf8: boolean,
): ServiceWarning[] {
  const verb = path === 'from' ? 'MAIL' : 'RCPT';
  const found: ServiceWarning[] = Object.keys(args || {})
    .filter((name) => !OFFERED[path].includes(name))
    .map((name) => {
      const message = `${verb} has the parameter ${JSON.stringify(name.slice(0, 80))}, which the server does not offer`;
      return { code: 'unknown_smtp_parameter', path, message };
    });
  if (!withUtf8 && !isAscii(command)) {
    const message = `${verb} has characters beyond ASCII, without the parameter SMTPUTF8 of MAIL`;
    found.push({ code: 'missing_smtputf8', path, message });
  }
  return found;
}

/** Returns whether MAIL had the parameter SMTPUTF8. */
export function hasUtf8({ args }: SMTPServerAddress): boolean {
  return Boolean(args && 'SMTPUTF8' in args);
}

/** Returns what the commands of an envelope announce: each kind once for the sender, and once for the recipients. */
export function announcedBy({ mailFrom, rcptTo }: SMTPServerSession['envelope']): ServiceWarning[] {
  const paths: AnnouncedPath[] = mailFrom ? [mailFrom, ...rcptTo] : rcptTo;
  const found = paths.flatMap(({ announced = [] }) => announced);
  return [...new Map(found.map((warning) => [`${warning.code} ${warning.path}`, warning])).values()];
}
