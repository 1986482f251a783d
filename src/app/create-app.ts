import { eventPayloads } from '../core/streams/event-tail.js';
import { createInProcessFetch } from '../http/in-process.js';
import { createHttpServer } from '../http/server.js';
import type { App, AppOptions } from './app.js';
import { createBackground } from './background.js';
import { createBase } from './base.js';
import { createControlDeps } from './control.js';
import { Lifecycle } from './lifecycle.js';
import { serverKeyEnsurer } from './server-key.js';

/**
 * Assembles the service. Adapters are created and connected only in src/app.
 * @throws UnusableDatabaseError if the database cannot be used.
 */
export async function createApp(options: AppOptions): Promise<App> {
  const base = createBase(options);
  const { core, store, clock, onInternalError } = base;

  const background = createBackground(base, options);
  await background.clockController.restore();

  const ensureServerKey = serverKeyEnsurer(core, options.apiKey);
  await store.write(ensureServerKey);

  const control = await createControlDeps({ base, background, ensureServerKey }, options);
  const http = await createHttpServer({
    core,
    control,
    allowedHosts: new Set(options.allowedHosts?.map((host) => host.toLowerCase())),
    logRequests: options.logRequests ?? true,
    strict: options.strict ?? false,
    checkResponses: options.checkResponses ?? false,
    onInternalError,
  });

  const lifecycle = new Lifecycle({ base, background, requestLog: control.requestLog, http });
  return {
    clock,
    http,
    fetch: createInProcessFetch(http),
    instance: control.start.instance,
    unreviewedRows: store.unreviewedRows,
    listen: (addresses) => lifecycle.listen(addresses),
    follow: (signal) => eventPayloads(store, signal),
    drain: () => background.scheduler.drain(),
    close: () => lifecycle.close(),
  };
}
