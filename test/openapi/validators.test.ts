import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Validator } from '@seriousme/openapi-schema-validator';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
// @ts-expect-error Scripts have no types.
import { isComplete, programs } from '../../scripts/test-clients.js';
import { ROOT, svc, temporaryDirectory } from '../support/cli/binary.js';
import { skippedWithout } from '../support/cli/tools.js';

const withoutSpectral = skippedWithout('Spectral', isComplete('spectral'), 'npm run test-clients');

describe('the OpenAPI document and external validators', () => {
  const directory = temporaryDirectory();
  const file = join(directory.path, 'openapi.json');

  beforeAll(async () => {
    const { code, stdout } = await svc(['openapi', '-o', file]);
    expect(code).toBe(0);
    expect(stdout).toBe('');
  });

  afterAll(() => directory.remove());

  it('passes Redocly’s strict rules without an error or a warning', () => {
    const report = redocly(file);
    expect(report.problems).toEqual([]);
    expect(report.totals).toMatchObject({ errors: 0, warnings: 0 });
  });

  it.skipIf(withoutSpectral)(
    `passes Spectral’s recommended rules, as that of the control API does${withoutSpectral}`,
    async () => {
      const rules = join(directory.path, 'rules.json');
      const control = join(directory.path, 'control-for-spectral.json');
      writeFileSync(rules, JSON.stringify({ extends: ['spectral:oas'] }));
      await svc(['openapi', '--control', '-o', control]);
      const lint = [programs.spectral, 'lint', '--ruleset', rules, '--fail-severity', 'hint', file, control];
      const { status, stdout } = spawnSync(process.execPath, lint, { encoding: 'utf8' });
      expect({ status, stdout }).toEqual({ status: 0, stdout: expect.stringContaining('No results') });
    },
  );

  it('would not pass Redocly with a broken reference', () => {
    const broken = join(directory.path, 'broken.json');
    const document = JSON.parse(readFileSync(file, 'utf8'));
    document.paths['/emails'].get.responses['400'].$ref = '#/components/responses/Nowhere';
    writeFileSync(broken, JSON.stringify(document));
    expect(redocly(broken).totals.errors).toBeGreaterThan(0);
  });

  it('matches the OpenAPI 3.1 schema', () => expectOpenApi31(file));

  it('are valid for the control API too, whose responses have no rate limit', async () => {
    const control = join(directory.path, 'control.json');
    const { code, stderr } = await svc(['openapi', '--control', '--base-url', 'http://svc:8025/v1', '-o', control]);

    expect({ code, stderr }).toEqual({ code: 0, stderr: `Wrote ${control}.\n` });
    expect(JSON.parse(readFileSync(control, 'utf8')).servers[0].url).toBe('http://svc:8025/_svc');
    expect(redocly(control, '--skip-rule', 'response-contains-header').problems).toEqual([]);
    await expectOpenApi31(control);
  });
});

describe('svc openapi', () => {
  it('prints the document, with the given server', async () => {
    const { code, stdout, stderr } = await svc(['openapi', '--base-url', 'https://api.example.com/v1/']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(JSON.parse(stdout).servers).toEqual([{ url: 'https://api.example.com/v1', description: 'The service' }]);
  });

  it('prints one line with --json', async () => {
    const { stdout } = await svc(['openapi', '--json']);
    expect(stdout.trim().split('\n')).toHaveLength(1);
    expect(JSON.parse(stdout).openapi).toBe('3.1.0');
  });

  it('refuses an invalid address, and a file that cannot be written', async () => {
    expect((await svc(['openapi', '--base-url', 'nowhere'])).code).toBe(2);
    const { code, stderr } = await svc(['openapi', '-o', '/nowhere/openapi.json']);
    expect(code).toBe(2);
    expect(stderr).toContain('cannot write /nowhere/openapi.json');
  });
});

async function expectOpenApi31(path: string): Promise<void> {
  const validator = new Validator();
  expect(await validator.validate(JSON.parse(readFileSync(path, 'utf8')))).toEqual({ valid: true });
  expect(validator.version).toBe('3.1');
}

interface RedoclyReport {
  totals: { errors: number; warnings: number };
  problems: unknown[];
}

function redocly(path: string, ...more: string[]): RedoclyReport {
  const { stdout } = spawnSync(
    process.execPath,
    [
      join(ROOT, 'node_modules/.bin/redocly'),
      ...['lint', path, '--config', join(ROOT, 'redocly.yaml'), '--format', 'json', ...more],
    ],
    {
      cwd: ROOT,
      encoding: 'utf8',
      maxBuffer: 64 * 1024 * 1024,
      env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
    },
  );
  return JSON.parse(stdout);
}
