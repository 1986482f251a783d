/** Builds tar archives byte by byte, in forms that no tar program writes (POSIX.1-1988, ustar). */

export interface RawMember {
  name: string;
  content?: Uint8Array;
  /** The twelve bytes of the size field (default: the length of the content). */
  size?: string | Buffer;
  /** One character: 0 is a file, 1 and 2 links, 3 and 4 devices, x and g extended headers. */
  type?: string;
}

export function rawTar(members: RawMember[], end: Uint8Array = Buffer.alloc(1024)): Buffer {
  const parts = members.flatMap(({ name, content = Buffer.alloc(0), size, type = '0' }) => {
    const header = Buffer.alloc(512);
    header.write(name, 0, 'latin1');
    header.write('0000600\x000000000\x000000000\0', 100, 'latin1');
    Buffer.from(size ?? `${content.length.toString(8).padStart(11, '0')}\0`).copy(header, 124, 0, 12);
    header.write('00000000000\0', 136, 'latin1');
    header.write(type, 156, 'latin1');
    header.write('ustar\x0000', 257, 'latin1');
    header.fill(' ', 148, 156);
    const sum = header.reduce((total, byte) => total + byte, 0);
    header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148, 'latin1');
    return [header, content, Buffer.alloc((512 - (content.length % 512)) % 512)];
  });
  return Buffer.concat([...parts, end]);
}

/** Returns a size in base 256, the form of GNU tar for sizes of more than eleven octal digits. */
export function base256(first: number, rest: number): Buffer {
  const field = Buffer.alloc(12, rest);
  field[0] = first;
  return field;
}

/** Returns one record of an extended header: its length, including itself, then `name=value`. */
export function paxRecord(name: string, value: string): Buffer {
  const body = ` ${name}=${value}\n`;
  let length = body.length + 1;
  while (String(length).length + body.length !== length) length = String(length).length + body.length;
  return Buffer.from(`${length}${body}`);
}
