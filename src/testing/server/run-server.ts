import { randomBytes } from 'node:crypto';
import type { App } from '../../app/app.js';
import type { RunningServer } from '../connection/in-process.js';
import type { ServerSettings } from '../connection/messages.js';

const HOST = '127.0.0.1';

/** Starts a server in memory, which listens on free ports unless the settings name others. */
export async function runServer(settings: ServerSettings): Promise<RunningServer> {
  const { createApp } = await import('../../app/create-app.js');
  await checkDomains(settings.domains);
  const { httpPort = 0, smtpPort = 0, ...options } = settings;
  const credentials = {
    apiKey: settings.apiKey ?? `svc_test_${randomBytes(16).toString('hex')}`,
    webhookSecret: settings.webhookSecret ?? `whsec_${randomBytes(24).toString('hex')}`,
  };
  const app = await createApp({ plan: 'none', ...options, ...credentials, storage: 'memory', dataDir: null });
  try {
    const { baseUrl, smtp } = await app.listen({
      http: { host: HOST, port: httpPort },
      smtp: { host: HOST, port: smtpPort },
    });
    return { app, address: { ...credentials, baseUrl, smtp }, sleep: sleepOn(app) };
  } catch (error) {
    await app.close();
    throw error;
  }
}

/** @throws TypeError for a name that the API would refuse. */
async function checkDomains(domains: readonly string[] = []): Promise<void> {
  // Loaded here, because the schema needs zod, as the app does.
  const { DomainName } = await import('../../contract/service/domain-name.js');
  for (const domain of domains) {
    const { error } = DomainName.safeParse(domain);
    if (error) throw new TypeError(`domains: ${JSON.stringify(domain)} ${error.issues[0]?.message}.`);
  }
}

function sleepOn(app: App): RunningServer['sleep'] {
  return (milliseconds, signal) =>
    new Promise((resolve, reject) => {
      const cancel = app.clock.after(milliseconds, resolve);
      signal?.addEventListener('abort', () => {
        cancel();
        reject(signal.reason);
      });
    });
}
