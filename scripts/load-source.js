import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

/** Returns the exports of TypeScript sources in one object. Paths are relative to the project. */
export async function loadSources(...files) {
  const { outputFiles } = await build({
    stdin: {
      contents: files.map((file) => `export * from './${file}';`).join('\n'),
      resolveDir: fileURLToPath(new URL('..', import.meta.url)),
    },
    bundle: true,
    platform: 'node',
    format: 'esm',
    write: false,
  });
  const source = Buffer.from(outputFiles[0].contents).toString('base64');
  return import(`data:text/javascript;base64,${source}`);
}
