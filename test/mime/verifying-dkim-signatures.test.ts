import { createHash, createSign, generateKeyPairSync } from 'node:crypto';
import { createTransport } from 'nodemailer';
import { describe, expect, it } from 'vitest';
import { verifyDkim } from '../../src/mime/dkim-verify.js';

const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
const key = {
  domain: 'shop.example',
  selector: 's1',
  publicKey: publicKey.export({ type: 'spki', format: 'der' }).toString('base64'),
};

describe('a message that Nodemailer signed', () => {
  const signed = async (text: string) => {
    const transport = createTransport({
      streamTransport: true,
      buffer: true,
      newline: 'windows',
      dkim: { domainName: key.domain, keySelector: key.selector, privateKey: pem },
    });
    const subject = 'Ein  langer Betreff – mit Leerzeichen und mehr als einer Zeile, weil er gefaltet werden soll';
    const { message } = await transport.sendMail({ from: 'a@shop.example', to: 'b@x.test', subject, text });
    return message as Buffer;
  };

  it.each(['Hello', 'Two  spaces \n\n\n', '', '\n.\nHello'])('is valid with the text %j', async (text) => {
    expect(await verifyDkim(await signed(text), key)).toBeUndefined();
  });

  it('is not valid by another key', async () => {
    const other = generateKeyPairSync('rsa', { modulusLength: 2048 }).publicKey;
    const changed = { ...key, publicKey: other.export({ type: 'spki', format: 'der' }).toString('base64') };
    expect(await verifyDkim(await signed('Hello'), changed)).toContain('another key signed it');
  });
});

describe('a message in the simple form', () => {
  const bodyHash = (body: string) => createHash('sha256').update(body).digest('base64');
  const header = 'Subject: Two  spaces\r\nFrom:  a@shop.example';
  const sign = (body: string) => {
    const open = `DKIM-Signature: v=1; a=rsa-sha256; d=shop.example; s=s1;\r\n h=from:subject; bh=${bodyHash(body)}; b=`;
    const covered = `From:  a@shop.example\r\nSubject: Two  spaces\r\n${open}`;
    return `${open}${createSign('RSA-SHA256').update(covered).sign(privateKey, 'base64')}\r\n${header}\r\n\r\n`;
  };

  it.each([
    ['Hello  \r\n\r\n\r\n', 'Hello  \r\n'],
    ['', '\r\n'],
  ])('is valid with the body %j', async (body, canonical) => {
    expect(await verifyDkim(Buffer.from(sign(canonical) + body), key)).toBeUndefined();
  });

  it('is not valid with other white space', async () => {
    const message = sign('Hello\r\n').replace('Subject: Two  spaces\r\nFrom', 'Subject: Two spaces\r\nFrom');
    expect(await verifyDkim(Buffer.from(`${message}Hello\r\n`), key)).toContain('a header field was changed');
  });
});

it.each(['', 'DKIM-Signature: d=shop.example; s=s1; h=', 'DKIM-Signature: d=shop.example; s=s1; a=rsa-sha256; b=%%'])(
  'has a reason for a signature that is not complete: %j',
  async (message) => {
    expect(await verifyDkim(Buffer.from(message), key)).toMatch(/\w/);
  },
);
