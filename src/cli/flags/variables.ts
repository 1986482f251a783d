import { Flags, type Interfaces } from '@oclif/core';
import type { Variables } from '../../contract/service/variables.js';
import { UsageError } from '../errors/exit-codes.js';
import { quoted } from '../output/text.js';
import { readJsonInput } from './values/json-input.js';

/** Reads the values of a template's placeholders from flags. */

export const variableFlags = {
  var: Flags.string({
    description: 'Template variable; repeatable, overrides --vars.',
    multiple: true,
    helpValue: 'NAME=VALUE',
  }),
  vars: Flags.string({
    description: 'Template variables as a JSON object, @FILE, or - for stdin.',
    helpValue: '@FILE|-',
  }),
};

export type VariableFlags = Interfaces.InferredFlags<typeof variableFlags>;

/** Variables of one source. If several sources set a variable, the last one wins. */
export interface VariableSource {
  /** The name of the file or the flag. */
  name: string;
  /** The JSON text that the variables are from, to report positions in it. */
  text: string | undefined;
  values: Variables;
}

export async function readVariableSources(flags: VariableFlags): Promise<VariableSource[]> {
  const sources: VariableSource[] = [];
  if (flags.vars !== undefined) {
    const { source, text, value } = await readJsonInput('--vars', flags.vars);
    sources.push({ name: source, text, values: value });
  }
  if (flags.var !== undefined) sources.push({ name: '--var', text: undefined, values: readSingle(flags.var) });
  return sources;
}

export function merge(sources: readonly VariableSource[]): Variables {
  return Object.fromEntries(sources.flatMap(({ values }) => Object.entries(values)));
}

function readSingle(flags: readonly string[]): Variables {
  return Object.fromEntries(
    flags.map((flag) => {
      const at = flag.indexOf('=');
      if (at < 1) throw new UsageError(`--var must be NAME=VALUE, not ${quoted(flag)}.`);
      return [flag.slice(0, at), flag.slice(at + 1)];
    }),
  );
}
