const { startServer } = require('svc-cli/testing');
const { confirm, signUp } = require('./app.js');

let svc;
beforeAll(async () => {
  svc = await startServer();
});
afterAll(() => svc.close());

test('the link in the email confirms the address', async () => {
  const inbox = svc.inbox();
  await signUp(svc, inbox.address);

  await expect(inbox).toHaveReceivedEmail({ subject: /confirm/i });
  const email = await inbox.waitFor();
  expect(email).toHaveCode();
  const key = new URL(email.link(/confirm/)).searchParams.get('key');

  expect(confirm(key)).toBe(inbox.address);
});
