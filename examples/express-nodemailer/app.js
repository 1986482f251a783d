/** Signs people up: mails a link and a code over SMTP, and either of them confirms the address. */

const { randomInt, randomUUID } = require('node:crypto');
const express = require('express');
const nodemailer = require('nodemailer');

const transport = nodemailer.createTransport({
  host: process.env.SVC_SMTP_HOST,
  port: Number(process.env.SVC_SMTP_PORT),
});
const pending = new Map();
const app = express();

app.post('/sign-up', express.urlencoded({ extended: false }), async (request, response) => {
  const { email: to } = request.body;
  const [token, code] = [randomUUID(), String(randomInt(100_000, 1_000_000))];
  pending.set(token, to).set(code, to);
  await transport.sendMail({
    from: 'Shop <hello@shop.example>',
    to,
    subject: 'Confirm your address',
    html: `<a href="http://${request.headers.host}/confirm?key=${token}">Confirm</a><p>Your code: <b>${code}</b></p>`,
  });
  response.send('An email is on its way.');
});

app.get('/confirm', (request, response) => {
  const address = pending.get(request.query.key);
  response.status(address ? 200 : 404).send(address ? `${address} is confirmed.` : 'Unknown link or code.');
});

module.exports = { app };
