import { describe, expect, it } from 'vitest';
import { readManifest } from '../../src/cli/manifest/manifest.js';
import { argumentKind, argumentKinds, flagKind, flagKinds } from '../../src/cli/manifest/value-kinds.js';
import { ROOT } from '../support/cli/binary.js';

describe('the table of what values name', () => {
  const { commands } = readManifest(ROOT);
  const all = Object.values(commands);
  const topicOf = (id: string) => id.replace(/[^:]+$/, '*');

  it('has no entry for a command, an argument or a flag that does not exist', () => {
    for (const key of Object.keys(argumentKinds)) {
      const [id, name = ''] = key.split(' ');
      expect(
        all.some((each) => [each.id, topicOf(each.id)].includes(id ?? '') && name in each.args),
        key,
      ).toBe(true);
    }
    for (const key of Object.keys(flagKinds)) {
      const [, id, name = ''] = /^(?:(\S+) )?--(\S+)$/.exec(key) ?? [];
      expect(
        all.some((each) => (id ?? each.id) === each.id && name in each.flags),
        key,
      ).toBe(true);
    }
  });

  it('has an entry for every argument and flag that takes an id', () => {
    const takesId = ({ description = '' }) => /\b[a-z]{3}_…/.test(description);
    const without = all.flatMap((command) => [
      ...Object.values(command.args).filter((arg) => takesId(arg) && !argumentKind(command, arg)),
      ...Object.values(command.flags).filter((flag) => takesId(flag) && !flagKind(command, flag)),
    ]);

    expect(all.some(({ args }) => Object.values(args).some(takesId))).toBe(true);
    expect(without).toEqual([]);
  });
});
