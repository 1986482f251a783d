import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Creates what a command needs: resources on a server, and files in its directory. */
export abstract class Resources {
  constructor(
    readonly folder: string,
    /** Names that no other run uses contain it. */
    readonly unique: string,
  ) {}

  /** Creates something on the server, past any proxy, and returns it. */
  // biome-ignore lint/suspicious/noExplicitAny: whatever the server answers
  abstract post(path: string, body: object): Promise<any>;

  write(path: string, text: string): string {
    const file = join(this.folder, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
    return path;
  }

  /** Writes a template directory for `templates push` and related commands. */
  writeTemplate(name: string): void {
    this.write(`templates/${name}/template.json`, JSON.stringify({ name, subject: 'Hi {{who}}' }));
    this.write(`templates/${name}/body.html`, '<p>{{who}}</p>');
    this.write(`templates/${name}/sample.json`, '{"who":"Ada"}');
  }

  email(more: object = {}): Promise<{ id: string; created_at: string }> {
    const to = `${this.unique}@example.test`;
    return this.post('/v1/emails', { to, from: 'shop@example.test', subject: 'Hi', html: '<p>Hi</p>', ...more });
  }

  /** Schedules an email that is sent in an hour of the server's time. */
  async scheduledEmail(): Promise<{ id: string }> {
    const { created_at } = await this.email();
    return this.email({ scheduled_at: new Date(Date.parse(created_at) + 3_600_000).toISOString() });
  }

  template(): Promise<{ id: string; name: string }> {
    return this.post('/v1/templates', { name: this.unique, subject: 'Hi {{who}}', html: '<p>{{who}}</p>', text: 'Hi' });
  }

  async domain(): Promise<string> {
    const domain = `${this.unique.toLowerCase()}.example.test`;
    await this.post('/v1/domains', { domain });
    return domain;
  }

  apiKey(): Promise<{ id: string }> {
    return this.post('/v1/api-keys', { name: 'ci', environment: 'test' });
  }

  webhook(): Promise<{ id: string }> {
    return this.post('/v1/webhooks', { url: 'https://hooks.example.test/', events: ['email.sent'] });
  }
}
