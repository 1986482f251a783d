const { startServer } = require('svc-cli/testing');
const { startApp } = require('./app.js');

let svc;
let app;
beforeAll(async () => {
  svc = await startServer();
  app = await startApp(svc);
});
afterAll(async () => {
  app.close();
  await svc.close();
});

test('the link in the email confirms the address', async () => {
  const inbox = svc.inbox();
  await fetch(`${app.url}/sign-up`, { method: 'POST', body: new URLSearchParams({ email: inbox.address }) });

  await expect(inbox).toHaveReceivedEmail({ subject: /confirm/i });
  const email = await inbox.waitFor();
  expect(email).toHaveCode();
  const page = await fetch(email.link(/confirm/)).then((response) => response.text());

  expect(page).toContain(`${inbox.address} is confirmed`);
});
