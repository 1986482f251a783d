/** Emails of a shop, for screenshots of the inbox: of every status, with scripts of both directions and long texts. */

const PIXEL =
  'iVBORw0KGgoAAAANSUhEUgAAAAoAAAAKCAYAAACNMs+9AAAAFUlEQVR42mNk+M9Qz0AEYBxVSF+FABJADveWkH6oAAAAAElFTkSuQmCC';

/** Returns a page with a card in the middle, which has colors for dark mode. */
function card(title, text, link, label) {
  return `<!doctype html><html><head><meta name="viewport" content="width=device-width">
<style>@media (prefers-color-scheme: dark) { body { background: #111 !important } .card { background: #222 !important; color: #eee !important } .small { color: #aaa !important } }</style></head>
<body style="margin:0;background:#f4f5f7;font-family:Helvetica,Arial,sans-serif">
<table width="100%" cellpadding="0" cellspacing="0"><tr><td align="center" style="padding:32px 12px">
<table class="card" width="100%" style="max-width:560px;background:#fff;border-radius:8px;color:#222"><tr><td style="padding:32px">
<img src="https://assets.shop.example/logo.png" width="120" height="40" alt="Shop">
<h1 style="font-size:22px">${title}</h1><p style="font-size:15px;line-height:1.6">${text}</p>
<p><a href="${link}" style="display:inline-block;background:#2456d6;color:#fff;padding:12px 20px;border-radius:6px;text-decoration:none">${label}</a></p>
<p class="small" style="font-size:12px;color:#666">You have an account at Shop. <a href="https://shop.example/unsubscribe?u=1">Unsubscribe</a></p>
</td></tr></table></td></tr></table></body></html>`;
}

const shop = 'Shop <hello@shop.example>';
const reset = 'https://shop.example/reset?token=8f3b';

/** Bodies of requests to send an email, oldest first. */
export const requests = [
  {
    to: 'yuki@example.test',
    subject: 'ご注文ありがとうございます（注文番号：10424）',
    text: '商品は明日発送されます。',
  },
  { to: 'opened@simulator.test', subject: 'مرحبا بك في متجرنا', text: 'شكرا لتسجيلك في متجرنا.' },
  {
    to: 'complained@simulator.test',
    subject: `🎉 Autumn sale: 30% off everything, and free shipping ${'on all orders until the end of the month '.repeat(3)}`,
    text: 'Only this week.',
    tags: ['newsletter', 'autumn'],
  },
  { to: 'bounced@simulator.test', subject: 'Your parcel is on its way', text: 'It arrives tomorrow.' },
  {
    to: ['bob@example.test', 'carol@example.test'],
    subject: 'Your receipt for order #10423',
    text: 'Order #10423 over 49.90 € has been paid.',
    tags: ['receipt'],
    attachments: [{ filename: 'receipt-10423.txt', content: 'VG90YWwgNDkuOTA=', contentType: 'text/plain' }],
  },
  {
    to: 'support@shop.example',
    from: 'Ada Lovelace <ada@example.test>',
    subject: 'Photos of the damaged parcel',
    text: 'Hello, see the attached photos.',
    attachments: [{ filename: 'photo.png', content: PIXEL, contentType: 'image/png' }],
  },
  { to: 'dan@example.test', subject: 'Verify your email address', text: 'Your code is 771 204.', tags: ['account'] },
  {
    to: 'ada@example.test',
    subject: 'Reset your password',
    html: card(
      'Reset your password',
      'Someone asked for a new password for ada@example.test. Your code is <b>482 913</b>. It is valid for 30 minutes.',
      reset,
      'Reset password',
    ),
    text: `Reset your password: ${reset}\nYour code is 482913. It is valid for 30 minutes.`,
    tags: ['account', 'reset'],
  },
].map((email) => ({ from: shop, html: `<p>${email.text}</p>`, ...email }));

const receiver = { events: ['email.delivered', 'email.bounced'], secret: 'whsec_example' };

/** Requests that create webhooks, with paths below the API. The first receiver refuses the connection. */
export const webhookRequests = [
  ['/webhooks', { ...receiver, url: 'http://127.0.0.1:9/hooks/email' }],
  ['/webhooks', { ...receiver, url: 'https://shop.example/hooks', events: ['api_key.created'] }],
  ['/../_svc/events/trigger', { type: 'email.bounced' }],
  ['/../_svc/events/trigger', { type: 'email.delivered' }],
];

/** The body of a request to create a template. */
export const template = {
  name: 'welcome',
  subject: 'Welcome to Shop, {{name}}',
  html: card('Welcome, {{name}}', 'Your code is <b>{{code}}</b>.', 'https://shop.example/start', 'Get started'),
  text: 'Welcome, {{name}}. Your code is {{code}}.',
};

/** The first is verified, and the last lacks a record. */
export const domains = ['shop.example', 'news.shop.example'];

export const apiKeys = ['Shop backend', 'متجر الكتب', 'Nightly newsletter with a name that is longer than its column'];

export const suppressions = [
  'jürgen@bücher.example',
  'a-very-long-mailbox-name-of-somebody@subdomain.of.a.long.domain.example',
];
