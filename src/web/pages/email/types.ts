import type { ControlOperations } from '../../../client/operations.js';

type Result<Name extends keyof ControlOperations> = ControlOperations[Name]['result'];

/** Everything that the tabs show of an email. */
export type EmailDetails = Omit<Result<'emails.inspect'>, 'warnings' | 'attachments' | 'recipients'> &
  Omit<Result<'emails.captured'>, 'warnings' | 'attachments' | 'recipients'> &
  Pick<Result<'emails.inspect'>, 'attachments' | 'recipients'>;

/** Properties of every tab. */
export interface TabProps {
  email: EmailDetails;
}
