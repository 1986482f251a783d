import { Errors } from '@oclif/core';
import { exitCodes } from '../../errors/exit-codes.js';
import { quoted } from '../../output/text.js';

/** Returns the name of a sending domain in lower case. oclif adds the name of the flag to the error. */
export async function readDomain(value: string): Promise<string> {
  // Loaded here, because the schema needs zod.
  const { DomainName } = await import('../../../contract/service/domain-name.js');
  const read = DomainName.safeParse(value);
  if (read.success) return read.data;
  throw new Errors.CLIError(`${read.error.issues[0]?.message}, not ${quoted(value)}.`, { exit: exitCodes.usage });
}
