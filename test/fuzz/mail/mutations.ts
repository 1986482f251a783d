import fc from 'fast-check';

/** Defines mutations of bytes, each defined by numbers only, so that a failure can be made smaller and repeated. */

type Mutation = (bytes: Buffer) => Buffer;

/** Larger messages teach no more and take longer. */
const BYTES_MAX = 64 * 1024;

/** Tokens on which parsers of email have failed. */
const TOKENS = [
  '\r\n',
  '\r\n\r\n',
  '\r',
  '\n',
  '\0',
  '\x80\xff',
  '\t \t',
  ';',
  ',',
  ':',
  '"',
  '\\',
  '<',
  '(',
  '=',
  '=\r\n',
  '=?utf-8?B?',
  '=?utf-8?Q?=E2=80=A8?=',
  '=?nope?X??=',
  '?=',
  '--',
  '.',
  'Content-Type: ; name="x.jpg"\r\n',
  'Content-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\n',
  'Content-Type: multipart/mixed; boundary=""\r\n',
  'Content-Type: message/rfc822\r\n\r\n',
  'Content-Type: message/delivery-status\r\n\r\n',
  'Content-Type: text/plain; format=flowed; delsp=yes\r\n\r\n',
  "Content-Type: text/html; charset*=utf-8''%F\r\n",
  'Content-Type: text/plain; charset=__proto__\r\n\r\n',
  'Content-Type: text/plain; charset=utf-7\r\n\r\n',
  'Content-Type: text/html; charset=iso-2022-jp\r\n\r\n<a href="http://e.test/ \x1b$B',
  "Content-Disposition: attachment; filename*0*=''%; filename*1=x\r\n",
  'Content-Transfer-Encoding: base64\r\n',
  'Content-Transfer-Encoding: x-uuencode\r\n',
  'Content-ID: <>\r\n',
  'References: <a>\r\n',
  'List-Unsubscribe: <mailto:x>\r\n',
  'Cc: a:b:c;\r\n',
  'To: "a\\',
  'From: =?utf-8?B?PGFAYi50ZXN0Pg==?=\r\n',
  'Subject:\r\n',
  'X-Service-Simulate: nothing\r\n',
  '__proto__: 1\r\n',
  'constructor: 1\r\n',
  'Date: 0000\r\n',
  '<a href="',
  '<base href=//e.test>',
  '<![CDATA[',
  '<!--',
  '&#x0;',
];

const position = fc.double({ min: 0, max: 1, noNaN: true });

/** Generates a range of bytes, by its relative position in the message and its length. */
const range = fc.tuple(position, fc.integer({ min: 1, max: 200 }));

function mutation(donors: readonly Buffer[]): fc.Arbitrary<Mutation> {
  const at = (bytes: Buffer, share: number) => Math.floor(share * bytes.length);
  const replaced = (bytes: Buffer, start: number, end: number, by: Buffer) =>
    Buffer.concat([bytes.subarray(0, start), by, bytes.subarray(end)]);
  return fc.oneof(
    fc.tuple(position, fc.integer({ min: 0, max: 255 })).map(([share, value]): Mutation => {
      return (bytes) => replaced(bytes, at(bytes, share), at(bytes, share) + 1, Buffer.of(value));
    }),
    range.map(([share, length]): Mutation => {
      return (bytes) => replaced(bytes, at(bytes, share), at(bytes, share) + length, Buffer.alloc(0));
    }),
    fc.tuple(range, fc.integer({ min: 2, max: 60 })).map(([[share, length], times]): Mutation => {
      return (bytes) => {
        const start = at(bytes, share);
        const piece = bytes.subarray(start, start + length);
        return replaced(bytes, start, start, Buffer.concat(Array.from({ length: times }, () => piece)));
      };
    }),
    fc.tuple(position, fc.constantFrom(...TOKENS)).map(([share, token]): Mutation => {
      return (bytes) => replaced(bytes, at(bytes, share), at(bytes, share), Buffer.from(token, 'latin1'));
    }),
    // A field or a boundary starts its own line.
    fc
      .tuple(position, fc.constantFrom(...TOKENS), fc.integer({ min: 1, max: 40 }))
      .map(([share, token, times]): Mutation => {
        return (bytes) => {
          const start = bytes.indexOf('\r\n', at(bytes, share)) + 2;
          return replaced(bytes, start, start, Buffer.from(token.repeat(times), 'latin1'));
        };
      }),
    fc.tuple(position, position, fc.constantFrom(...donors)).map(([share, from, donor]): Mutation => {
      return (bytes) => replaced(bytes, at(bytes, share), bytes.length, donor.subarray(at(donor, from)));
    }),
    fc.tuple(position, position).map(([one, other]): Mutation => {
      return (bytes) => {
        const lines = bytes.toString('latin1').split('\r\n');
        const [a, b] = [Math.floor(one * lines.length), Math.floor(other * lines.length)].sort((x, y) => x - y);
        const moved = [...lines.slice(0, a), ...lines.slice(b), ...lines.slice(a, b)];
        return Buffer.from(moved.join('\r\n'), 'latin1');
      };
    }),
  );
}

/** Generates one of the messages, changed a few times. */
export function mutated(messages: readonly Buffer[]): fc.Arbitrary<Buffer> {
  const changes = fc.array(mutation(messages), { minLength: 1, maxLength: 6 });
  return fc.tuple(fc.constantFrom(...messages), changes).map(([message, mutations]) => {
    let bytes = message;
    for (const mutate of mutations) bytes = mutate(bytes).subarray(0, BYTES_MAX);
    return bytes;
  });
}
