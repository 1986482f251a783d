import assert from 'node:assert/strict';
import type { Api, Json } from '../api.js';
import { type Check, check } from '../check.js';
import { detail, exactly, idOf, nullable, oneOf, rowsOf, type Shape, string, timestamp } from '../shapes.js';

/**
 * Checks outcomes after delivery, simulated by the local server: the outcome is the part before the @ of an address at
 * simulator.test.
 */

const location = exactly({ country: nullable(string), city: nullable(string) });
const email_id = idOf('msg');

const bounced: Shape = {
  email_id,
  to: string,
  bounced_at: timestamp,
  bounce_type: oneOf('hard', 'soft'),
  reason: string,
  smtp_response: string,
};
const complained: Shape = {
  email_id,
  to: string,
  complained_at: timestamp,
  complaint_type: oneOf('abuse', 'fraud', 'virus', 'other'),
  feedback_id: string,
};
const dropped: Shape = {
  email_id,
  to: string,
  dropped_at: timestamp,
  reason: oneOf('suppressed', 'invalid_address'),
};
const opened: Shape = {
  email_id,
  to: string,
  opened_at: timestamp,
  ip_address: string,
  user_agent: string,
  location,
};
const clicked: Shape = {
  email_id,
  to: string,
  clicked_at: timestamp,
  url: string,
  ip_address: string,
  user_agent: string,
  location,
};

const LINK = 'https://example.com/order?id=7&x=y';
const HTML = '<p>Hello <a href="https://example.com/order?id=7&amp;x=y">your order</a></p>';

/** Sends to one outcome, waits for its event, and returns both the event's data and the email. */
async function play(api: Api, outcome: string, type: string, shape: Shape): Promise<{ data: Json; email: Json }> {
  const label = api.unique(outcome);
  const to = `${outcome}+${label}@simulator.test`;
  const { id } = await api.send({ to, html: HTML, tags: [label] });
  const event = await api.event(type, (found) => found.email_id === id);
  exactly(shape)(event.data, 'data');
  assert.equal(event.data.to, to);
  const email = await api.ok(200, 'GET', `/emails/${id}`);
  exactly(detail)(email, 'data');
  assert.deepEqual(await api.idsListed(`tags=${label}&status=${email.status}`), [id]);
  return { data: event.data, email };
}

export const checks: Check[] = [
  check(
    [
      'spec:event.email.bounced',
      ...rowsOf('spec:event.email.bounced', bounced),
      'spec:email.detail.bounce_reason',
      'gap:3',
    ],
    'sends email.bounced with exactly its fields, hard or soft; the email is bounced and has the reason',
    async (api) => {
      const hard = await play(api, 'bounced', 'email.bounced', bounced);
      assert.deepEqual([hard.data.bounce_type, hard.email.status], ['hard', 'bounced']);
      assert.match(hard.data.smtp_response, /^5\d\d /);
      assert.equal(hard.email.bounce_reason, hard.data.reason);
      assert.equal(hard.email.delivered_at, null);
      const soft = await play(api, 'soft-bounced', 'email.bounced', bounced);
      assert.deepEqual([soft.data.bounce_type, soft.email.status], ['soft', 'bounced']);
      assert.match(soft.data.smtp_response, /^4\d\d /);
    },
    'simulator',
  ),

  check(
    ['spec:event.email.complained', ...rowsOf('spec:event.email.complained', complained), 'gap:3', 'gap:27'],
    'sends email.complained with exactly its fields, of type abuse by default; the email is complained',
    async (api) => {
      const { data, email } = await play(api, 'complained', 'email.complained', complained);
      assert.deepEqual([data.complaint_type, email.status], ['abuse', 'complained']);
      assert.ok(email.delivered_at !== null, 'who complains has got it');
      for (const type of ['abuse', 'fraud', 'virus', 'other']) {
        const { id } = await api.send({ to: `complained+${type}@simulator.test` });
        const event = await api.event('email.complained', (found) => found.email_id === id);
        assert.equal(event.data.complaint_type, type);
      }
    },
    'simulator',
  ),

  check(
    ['spec:event.email.dropped', 'gap:3', 'gap:26', 'gap:41'],
    'sends email.dropped with exactly its fields; the email stays sent, with sent_at',
    async (api) => {
      const { email } = await play(api, 'dropped', 'email.dropped', dropped);
      assert.deepEqual([email.status, email.delivered_at], ['sent', null]);
      assert.ok(email.sent_at !== null);
    },
    'simulator',
  ),

  check(
    [
      'spec:event.email.opened',
      ...rowsOf('spec:event.email.opened', opened),
      'spec:email.detail.opened_at',
      'spec:email.detail.opens_count',
      'gap:3',
    ],
    'sends email.opened with exactly its fields; the email stays delivered, with opened_at and opens_count',
    async (api) => {
      const { data, email } = await play(api, 'opened', 'email.opened', opened);
      assert.deepEqual([email.status, email.opens_count, email.clicks_count], ['delivered', 1, 0]);
      assert.equal(email.opened_at, data.opened_at);
    },
    'simulator',
  ),

  check(
    [
      'spec:event.email.clicked',
      ...rowsOf('spec:event.email.clicked', clicked),
      'spec:email.detail.clicks_count',
      'gap:3',
    ],
    'sends email.clicked with exactly its fields, its url a link of the email; the email stays delivered',
    async (api) => {
      const { data, email } = await play(api, 'clicked', 'email.clicked', clicked);
      assert.equal(data.url, LINK);
      assert.deepEqual([email.status, email.clicks_count, email.html], ['delivered', 1, HTML]);
    },
    'simulator',
  ),

  check(
    ['gap:4', 'spec:email.statuses'],
    'gives an email the worst status of its recipients: complained, bounced, sent, delivered; dropped ones do not count',
    async (api) => {
      // Each outcome with the status of an email to this recipient and all before it. `none` stays sent.
      const ladder = {
        dropped: 'sent',
        delivered: 'delivered',
        none: 'sent',
        bounced: 'bounced',
        complained: 'complained',
      };
      const outcomes = Object.keys(ladder);
      for (const [last, status] of Object.values(ladder).entries()) {
        const label = api.unique('x');
        const to = outcomes.slice(0, last + 1).map((outcome) => `${outcome}+${label}@simulator.test`);
        const { id } = await api.send({ to });
        for (const [index, outcome] of outcomes.slice(0, last + 1).entries()) {
          const event = outcome === 'none' ? 'sent' : outcome;
          await api.event(`email.${event}`, (found) => found.email_id === id && found.to === to[index]);
        }
        assert.equal((await api.ok(200, 'GET', `/emails/${id}`)).status, status, outcomes[last]);
      }
    },
    'simulator',
  ),

  check(
    [
      'spec:analytics.total.bounced',
      'spec:analytics.total.complained',
      'spec:analytics.total.opened',
      'spec:analytics.total.clicked',
    ],
    'counts each outcome once',
    async (api) => {
      const read = async () => (await api.ok(200, 'GET', '/analytics/emails')).total;
      const before = await read();
      await play(api, 'bounced', 'email.bounced', bounced);
      await play(api, 'complained', 'email.complained', complained);
      await play(api, 'opened', 'email.opened', opened);
      await play(api, 'clicked', 'email.clicked', clicked);
      const after = await read();
      for (const [name, expected] of Object.entries({ bounced: 1, complained: 1, clicked: 1 })) {
        assert.equal(after[name] - before[name], expected, name);
      }
      assert.ok(after.opened - before.opened >= 1);
    },
    'simulator',
  ),
];
