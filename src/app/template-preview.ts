import { createIds } from '../clock/ids.js';
import { type PreviewServer, type PreviewSource, startPreviewServer } from '../http/template-preview.js';
import { createFileChecks, type FileChecks } from './file-checks.js';

/** Starts the page of `svc templates dev`, without a store. @throws the error of the system if the port cannot be used. */
export async function createTemplatePreview(
  port: number,
  sourceOf: (checks: FileChecks) => PreviewSource,
): Promise<PreviewServer> {
  const checks = createFileChecks();
  const { rewriteForFrame, showAsClient } = checks;
  const { secret } = createIds();
  const server = await startPreviewServer({
    source: sourceOf(checks),
    rewriteForFrame,
    showAsClient,
    secret,
    port,
  }).catch(async (error: unknown) => {
    await checks.close();
    throw error;
  });
  return {
    ...server,
    async close() {
      await server.close();
      await checks.close();
    },
  };
}
