import { brokenSession } from '../../mail/smtp-session.js';
import type { InboxServer } from '../browser.js';
import { DOMAIN, type Ids } from './view.js';

/** A word that no line of a phone has space for. */
export const LONG_WORD = 'x'.repeat(300);

/** Gives a server what the views show, with long words wherever the server accepts them. Returns the IDs. */
export async function fillViews(server: InboxServer): Promise<Ids> {
  const { template } = await fillResources(server);
  await server.send({ subject: 'Second' });
  await server.send({ to: 'bounced@simulator.test', subject: 'Bounces' });
  const email = await server.send({
    to: `${'a'.repeat(60)}@${'b'.repeat(60)}.example.test`,
    from: `"${LONG_WORD.slice(0, 150)}" <shop@example.test>`,
    subject: `Reset your password ${LONG_WORD}`,
    html: `<p>Your code is 482913.</p><a href="https://shop.example/reset?token=${LONG_WORD}">Reset password</a><p>${LONG_WORD}</p>`,
    text: `Your code is 482913. ${LONG_WORD}`,
    tags: ['t'.repeat(40), 'account'],
    headers: { 'X-Long': LONG_WORD },
    attachments: [{ filename: `${LONG_WORD.slice(0, 150)}.txt`, content: 'bm90ZXM=', contentType: 'text/plain' }],
  });
  // The server refuses the connection: the port of its webhook is that of no server.
  const webhook = { url: `http://127.0.0.1:9/${LONG_WORD}/hooks`, events: ['email.sent'], secret: 'whsec_1' };
  await server.call('POST', '/v1/webhooks', webhook);
  await server.call('POST', '/_svc/events/trigger', { type: 'email.sent' });
  await server.call('POST', '/_svc/clock/advance', { by: '1s' });
  const delivery = (await server.read('/_svc/deliveries')).deliveries[0].id;
  await server.call('POST', '/v1/domains', { domain: 'second.example.com', misspelled: 1 });
  const request = (await server.read('/_svc/requests')).requests[0].request_id;
  await brokenSession((await server.read('/_svc/info')).smtp);
  const session = (await server.read('/_svc/smtp-sessions')).sessions[0].id;
  return { email, template, delivery, request, session };
}

async function fillResources(server: InboxServer): Promise<Pick<Ids, 'template'>> {
  await server.call('POST', '/v1/webhooks', { url: 'http://127.0.0.1:1/hooks', events: ['email.sent'] });
  await server.call('POST', '/_svc/rules', { to: '*@corp.test', outcome: 'bounced', times: 2 });
  await server.call('POST', '/_svc/faults', { webhook: 'https://faults.example/*', code: 500, times: 2 });
  await server.call('POST', '/v1/domains', { domain: DOMAIN });
  await server.call('PATCH', `/_svc/dns/${DOMAIN}`, { published: false });
  await server.call('POST', '/v1/domains', { domain: `${'b'.repeat(60)}.${'c'.repeat(60)}.example.test` });
  await server.call('POST', '/_svc/suppressions', { address: 'eve@example.test' });
  const { json } = await server.call('POST', '/v1/templates', {
    name: `welcome ${LONG_WORD.slice(0, 80)}`,
    subject: `Welcome ${LONG_WORD}`,
    html: '<p>Welcome, {{name}}</p>',
    text: 'Welcome',
  });
  return { template: json.data.id };
}
