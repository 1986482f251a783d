import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { svc } from '../../support/cli/binary.js';
import { folderOfEachTest } from '../../support/each-test.js';

/** Tests directories in which named pipes without a writer take the place of files. */

describe.runIf(process.platform !== 'win32')('a named pipe', () => {
  const folder = folderOfEachTest();

  it.each(['template.json', 'body.html', 'body.txt', 'sample.json'])('is refused as %s of a template', async (name) => {
    const template = join(folder.path, 'welcome');
    mkdirSync(template);
    writeFileSync(join(template, 'template.json'), '{"name":"welcome","subject":"Hi"}');
    writeFileSync(join(template, 'body.html'), '<p>Hi</p>');
    const pipe = join(template, name);
    rmSync(pipe, { force: true });
    execFileSync('mkfifo', [pipe]);
    const { code, stderr } = await svc(['templates', 'render', template]);
    expect({ code, stderr }).toMatchObject({ code: 2, stderr: expect.stringContaining(`${pipe} is not a regular`) });
  });

  it('is refused as a message of a seed', async () => {
    const mail = join(folder.path, 'mail');
    mkdirSync(mail);
    execFileSync('mkfifo', [join(mail, 'a.eml')]);
    const args = ['dev', '--in-memory', '--http-port', '0', '--smtp-port', '0', '--seed', folder.path];
    const { code, stderr } = await svc(args);
    expect({ code, stderr }).toMatchObject({ code: 1, stderr: expect.stringContaining('a.eml is not a file.') });
  });
});
