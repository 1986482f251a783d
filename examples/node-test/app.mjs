/** Signs people up: mails a link and a code, and either of them confirms the address. */

import { randomInt } from 'node:crypto';

const pending = new Map();

/** Mails the link and the code over the API at `baseUrl`. */
export async function signUp({ baseUrl, apiKey }, to) {
  const key = String(randomInt(100_000, 1_000_000));
  pending.set(key, to);
  const html = `<a href="https://shop.example/confirm?key=${key}">Confirm</a><p>Your code: <b>${key}</b></p>`;
  await fetch(`${baseUrl}/emails`, {
    method: 'POST',
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ from: 'Shop <hello@shop.example>', to, subject: 'Confirm your address', html }),
  });
}

/** Returns the address that the key of a link, or a code, confirms. */
export function confirm(key) {
  return pending.get(key);
}
