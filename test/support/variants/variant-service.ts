import type { AppOptions } from '../../../src/app/app.js';
import { openInProcess, type RunInProcess } from '../cli/in-process.js';
import { startApp, type TestApp } from '../servers/app.js';
import { startVariantProxy, type VariantProxy } from './variant-proxy.js';

/** A service without limits, the proxy in front of it, and the command line. */
export interface VariantService {
  app: TestApp;
  proxy: VariantProxy;
  run: RunInProcess;
  close(): Promise<void>;
}

export async function startVariantService(options: Partial<AppOptions> = {}): Promise<VariantService> {
  const app = await startApp({ plan: 'none', ...options });
  const local = { host: '127.0.0.1', port: 0 };
  const { baseUrl } = await app.listen({ http: local, smtp: local });
  const proxy = await startVariantProxy(new URL(baseUrl).origin);
  const run = await openInProcess();
  return {
    app,
    proxy,
    run,
    async close() {
      await proxy.close();
      await app.closeClean();
    },
  };
}
