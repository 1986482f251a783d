const HEADER_NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;

export const HEADER_LINE_FORM = '"Name: value"';

/** Returns the name and the value of a header line (RFC 9110 section 5); undefined if it is invalid. */
export function readHeaderLine(line: string): [name: string, value: string] | undefined {
  const colon = line.indexOf(':');
  const name = line.slice(0, Math.max(colon, 0));
  if (!HEADER_NAME.test(name) || /[\r\n\0]/.test(line)) return undefined;
  return [name, line.slice(colon + 1).trim()];
}
