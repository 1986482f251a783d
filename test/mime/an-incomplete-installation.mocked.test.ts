import { tmpdir } from 'node:os';
import { resolve } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { ProcessorUnavailableError } from '../../src/core/ports.js';
import { createProcessing } from '../../src/mime/processing.js';
import { packageDirectory } from '../../src/package-directory.js';
import { ROOT } from '../support/cli/binary.js';
import { ManualTimers } from '../support/servers/manual-timers.js';

const { existsSync } = vi.hoisted(() => ({ existsSync: vi.fn<(path: string) => boolean>() }));
vi.mock('node:fs', async (original) => {
  const actual = await original<typeof import('node:fs')>();
  existsSync.mockImplementation(actual.existsSync);
  return { ...actual, existsSync };
});

const INCOMPLETE = /^The installation of svc is incomplete: bin.run\.js not found\. Reinstall svc\.$/;

describe('an installation whose files were deleted', () => {
  const exists = existsSync.getMockImplementation();
  afterEach(() => {
    if (exists) existsSync.mockImplementation(exists);
  });

  it('is found by its own files when it is complete', () => {
    expect(packageDirectory()).toBe(resolve(ROOT));
  });

  it('is reported, without an endless search', () => {
    expect(() => packageDirectory(tmpdir())).toThrow(INCOMPLETE);
  });

  it('fails a message that needs a worker, not the start of the server', async () => {
    existsSync.mockReturnValue(false);
    const processing = createProcessing({ clock: new ManualTimers() });
    processing.warm();
    expect(processing.parser.quickly(Buffer.from('From: a@x.test\r\n\r\nhi\r\n'))).toBeDefined();
    const failure = await processing.parser.parse(Buffer.from('a message')).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(ProcessorUnavailableError);
    expect((failure as Error).message).toContain('Reinstall svc.');
    await processing.close();
  });
});
