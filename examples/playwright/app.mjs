/** A service to sign up with: it mails a link and a code, and either of them confirms the address. */

import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';

const FORM = '<form method="post" action="/sign-up"><input name="email" type="email"><button>Sign up</button></form>';

/** Starts the service on a free port. Its email goes to the API at `baseUrl`. */
export async function startApp({ baseUrl, apiKey }) {
  const addresses = new Map();

  const server = createServer(async (request, response) => {
    const { pathname, searchParams } = new URL(request.url, url);
    response.setHeader('content-type', 'text/html');
    if (pathname === '/sign-up') response.end(await signUp(new URLSearchParams(await text(request)).get('email')));
    else if (pathname === '/confirm') response.end(confirm(searchParams.get('key')));
    else response.end(FORM);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const url = `http://127.0.0.1:${server.address().port}`;

  function confirm(key) {
    return addresses.has(key) ? `<p>${addresses.get(key)} is confirmed.</p>` : '<p>Unknown link or code.</p>';
  }

  async function signUp(to) {
    const key = String(randomInt(100_000, 1_000_000));
    addresses.set(key, to);
    const html = `<p><a href="${url}/confirm?key=${key}">Confirm your address</a></p><p>Your code: <b>${key}</b></p>`;
    const response = await fetch(`${baseUrl}/emails`, {
      method: 'POST',
      headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
      body: JSON.stringify({ from: 'Shop <hello@shop.example>', to, subject: 'Confirm your address', html }),
    });
    return response.ok ? `<p>An email is on its way to ${to}.</p>` : response.text();
  }

  return { url, close: () => server.close() };
}
