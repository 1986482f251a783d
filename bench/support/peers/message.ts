/** A newsletter of a shop of 7 KB, as text and HTML, with links, and a one-time code. */

/** Links of the HTML part. */
export const LINKS = 42;
const CODE_BASE = 100_000;

export function subjectOf(number: number): string {
  return `Your order ${CODE_BASE + number} has been shipped`;
}

/** Returns the one-time code of a message. */
export function codeOf(number: number): string {
  return String(CODE_BASE + ((number * 7_919) % 900_000));
}

/** Returns the text and the HTML of a message. */
export function bodyOf(number: number): { text: string; html: string } {
  const base = `https://shop.example.test/o/${number}`;
  const items = Array.from({ length: LINKS }, (_, index) => {
    const href = `${base}/item/${index}?utm_source=mail&utm_medium=order`;
    return `<li><a href="${href}" style="color:#0b5">Item ${index} of your parcel</a>, packed by hand</li>`;
  });
  const code = `Your verification code is ${codeOf(number)}.`;
  const text = `Hello Grace,\r\n\r\nyour parcel has been shipped.\r\n${code}\r\nIt expires in 30 minutes.\r\n`;
  const html = `<html><body><h1>Shipped</h1>\r\n<p>${code}</p>\r\n<ul>\r\n${items.join('\r\n')}\r\n</ul></body></html>`;
  return { text, html };
}

/** Returns a message with a number in its subject, without the final dot. */
export function numbered(number: number): Buffer {
  const { text, html } = bodyOf(number);
  const part = (type: string, body: string) => ['--part', `Content-Type: ${type}; charset=utf-8`, '', body];
  const head = [
    'From: Shop <shop@example.test>',
    'To: Grace <grace@example.test>',
    `Subject: ${subjectOf(number)}`,
    `Message-ID: <order-${number}@example.test>`,
    'MIME-Version: 1.0',
    'Content-Type: multipart/alternative; boundary=part',
    '',
  ];
  return Buffer.from([...head, ...part('text/plain', text), ...part('text/html', html), '--part--'].join('\r\n'));
}
