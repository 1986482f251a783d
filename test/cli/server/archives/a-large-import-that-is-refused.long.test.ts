import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { startDev, svc, temporaryDirectory } from '../../../support/cli/binary.js';

/** More than the buffers of both sides of a connection hold. */
const BYTES = 8 * 1024 * 1024;

it('exits with 1, and leaves a server that stops with 0', async () => {
  const folder = temporaryDirectory();
  const file = join(folder.path, 'noise');
  writeFileSync(file, randomBytes(BYTES));
  const dev = await startDev(['--data-dir', join(folder.path, 'data')]);
  try {
    const { code, stderr } = await svc(['dev', 'import', file, '--yes', '--data-dir', join(folder.path, 'data')]);

    expect({ code, stderr }).toMatchObject({ code: 1, stderr: expect.stringContaining('Nothing was changed.') });
  } finally {
    const code = await dev.stop();
    folder.remove();
    expect(code).toBe(0);
  }
});
