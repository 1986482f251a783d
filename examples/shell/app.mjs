/** A service to sign up with: it mails a link and a code, and either of them confirms the address. */

import { randomInt, randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { argv, env } from 'node:process';
import { pathToFileURL } from 'node:url';

const FORM = '<form method="post" action="/sign-up"><input name="email" type="email"><button>Sign up</button></form>';

/** Starts the service on a free port. Its email goes to the API at `baseUrl`. */
export async function startApp({ baseUrl, apiKey }) {
  const pending = new Map();
  let origin;

  async function signUp(to) {
    const [token, code] = [randomUUID(), String(randomInt(100_000, 1_000_000))];
    pending.set(token, to).set(code, to);
    const response = await fetch(`${baseUrl}/emails`, {
      method: 'POST',
      headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        from: 'Shop <hello@shop.example>',
        to,
        subject: 'Confirm your address',
        html: `<p><a href="${origin}/confirm?key=${token}">Confirm your address</a></p><p>Your code: <b>${code}</b></p>`,
      }),
    });
    if (!response.ok) throw new Error(await response.text());
    return `<p>An email is on its way to ${to}.</p>`;
  }

  function confirm(key) {
    const address = pending.get(key);
    return address ? `<p>${address} is confirmed.</p>` : '<p>Unknown link or code.</p>';
  }

  async function answer(request) {
    const url = new URL(request.url, origin);
    if (url.pathname === '/confirm') return confirm(url.searchParams.get('key'));
    if (url.pathname !== '/sign-up') return FORM;
    let body = '';
    for await (const chunk of request) body += chunk;
    return signUp(new URLSearchParams(body).get('email'));
  }

  const server = createServer((request, response) => {
    response.setHeader('content-type', 'text/html');
    answer(request).then(
      (page) => response.end(page),
      (error) => response.writeHead(500).end(error.message),
    );
  });
  await new Promise((listening) => server.listen(0, '127.0.0.1', listening));
  origin = `http://127.0.0.1:${server.address().port}`;
  return {
    url: origin,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

// "node app.mjs" runs it with the server that svc dev exec started.
if (argv[1] && import.meta.url === pathToFileURL(argv[1]).href) {
  const { url } = await startApp({ baseUrl: env.SVC_BASE_URL, apiKey: env.SVC_API_KEY });
  console.log(url);
}
