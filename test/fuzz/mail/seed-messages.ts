import { corpora, isPresent, messagesOf } from '../../corpus/corpora.js';

/** Lists messages to mutate: those of other projects that are installed, and these, which always are. */

const BYTES_MAX = 16 * 1024;
const OF_EACH_CORPUS = 120;

const own = [
  'From: Ada <ada@example.test>\r\nTo: "B, C" <b@example.test>, x: d@e.test, f@g.test;\r\nSubject: =?utf-8?Q?Gr=C3=BC=C3=9Fe?=\r\n\r\nhi\r\n.dot\r\n',
  'From: a@b.test\r\nSubject: two\r\nMIME-Version: 1.0\r\nContent-Type: multipart/alternative; boundary="x y"\r\n\r\n--x y\r\nContent-Type: text/plain; charset=iso-8859-1; format=flowed\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\nGr=FC=DFe =\r\nhi\r\n--x y\r\nContent-Type: text/html\r\n\r\n<a href="https://e.test/?a=1&amp;b">x</a>\r\n--x y--\r\n',
  'From: a@b.test\r\nSubject: file\r\nMIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=m\r\n\r\npreamble\r\n--m\r\n\r\ntext\r\n--m\r\nContent-Type: application/pdf; name*=utf-8\'\'%E2%82%AC.pdf\r\nContent-Disposition: attachment;\r\n filename*0="a b";\r\n filename*1=.pdf\r\nContent-Transfer-Encoding: base64\r\nContent-ID: <c@d>\r\n\r\nJVBERi0xLjQK\r\n--m\r\nContent-Type: message/rfc822\r\n\r\nSubject: inner\r\n\r\nx\r\n--m--\r\n',
];

export function seedMessages(): Buffer[] {
  const others = corpora.filter(isPresent).flatMap((corpus) => {
    const small = messagesOf(corpus).filter(({ bytes }) => bytes.length > 0 && bytes.length <= BYTES_MAX);
    const step = Math.ceil(small.length / OF_EACH_CORPUS);
    return small.filter((_, index) => index % step === 0).map(({ bytes }) => bytes);
  });
  return [...own.map((message) => Buffer.from(message, 'latin1')), ...others];
}
