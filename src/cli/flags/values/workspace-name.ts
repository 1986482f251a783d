import { WORKSPACE_NAME, WORKSPACE_NAME_FORM } from '../../../contract/vocabulary/parsers/workspace-name.js';
import { UsageError } from '../../errors/exit-codes.js';
import { quoted } from '../../output/text.js';

/** Returns the name of a workspace. @throws UsageError for any other text. */
export async function readWorkspaceName(value: string): Promise<string> {
  if (WORKSPACE_NAME.test(value)) return value;
  throw new UsageError(`NAME must be ${WORKSPACE_NAME_FORM}, not ${quoted(value)}.`);
}
