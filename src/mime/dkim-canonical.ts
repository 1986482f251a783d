/** Canonicalizes messages for DKIM signatures: RFC 6376, section 3.4. */

/** Returns the header fields of a header, each with its folded lines. */
export function headerLines(header: string): string[] {
  return header.split(/\r\n(?![ \t])/);
}

/** @param form `relaxed` or `simple` */
export function canonicalHeader(header: string, form: string): string {
  if (form !== 'relaxed') return header;
  const colon = header.indexOf(':');
  const value = header
    .slice(colon + 1)
    .replace(/\r\n/g, '')
    .replace(/[ \t]+/g, ' ')
    .replace(/^ | $/g, '');
  return `${header.slice(0, colon).trim().toLowerCase()}:${value}`;
}

/** @param form `relaxed` or `simple` */
export function canonicalBody(body: string, form: string): string {
  const isRelaxed = form === 'relaxed';
  const source = body.split('\r\n');
  const lines = isRelaxed ? source.map((line) => line.replace(/[ \t]+/g, ' ').replace(/ $/, '')) : source;
  while (lines.at(-1) === '') lines.pop();
  // An empty body has one line in the simple form only.
  return lines.length === 0 && !isRelaxed ? '\r\n' : lines.map((line) => `${line}\r\n`).join('');
}
