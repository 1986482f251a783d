/** Reads the header section of a message. RFC 5322, section 2.2. */

export interface MessageHeader {
  name: string;
  value: string;
}

/** Returns every header in order. Folded lines are joined; encoded words stay encoded. */
export function headersOf(message: Uint8Array): MessageHeader[] {
  const text = new TextDecoder().decode(message);
  const [section = ''] = text.split(/\r?\n\r?\n/, 1);
  return section
    .replace(/\r?\n(?=[ \t])/g, '')
    .split(/\r?\n/)
    .flatMap((line) => {
      const colon = line.indexOf(':');
      return colon < 1 ? [] : [{ name: line.slice(0, colon).trim(), value: line.slice(colon + 1).trim() }];
    });
}
