import { generateKeyPair } from 'node:crypto';
import { promisify } from 'node:util';
import type { MakeDkimKey } from '../core/ports.js';

/** RFC 8301 asks signers for at least 1024 bits and recommends 2048, whose record still fits DNS over UDP. */
const BITS = 2048;

export const makeDkimKey: MakeDkimKey = async () => {
  const { privateKey, publicKey } = await promisify(generateKeyPair)('rsa', {
    modulusLength: BITS,
    publicKeyEncoding: { type: 'spki', format: 'der' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  });
  return { privateKey, publicKey: publicKey.toString('base64') };
};
