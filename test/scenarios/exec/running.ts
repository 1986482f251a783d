import { Captured, FROM_THE_BEGINNING } from '../../../src/cli/server/exec/artifacts/captured.js';
import { Client } from '../../../src/client/client.js';
import { TEST_KEY, type TestApp } from '../../support/servers/app.js';

export function clientOf(app: TestApp): Client {
  return new Client({ baseUrl: 'http://localhost/v1', apiKey: TEST_KEY, userAgent: 'test', fetch: app.fetch });
}

export function capturedBy(app: TestApp): Captured {
  return new Captured(clientOf(app), FROM_THE_BEGINNING);
}

export async function capture(app: TestApp, message: string): Promise<string> {
  const bytes = async function* () {
    yield Buffer.from(message);
  };
  return (await clientOf(app).control('emails.capture', { body: bytes() })).id;
}
