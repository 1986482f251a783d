import { useInbox } from '../api/calls.js';
import { CopyText } from './copy-text.js';

/** Commands for this server, one a line, with a button that copies them. */
export function CopyCommand({ text, label }: { text: string; label?: string }) {
  const { command_flags } = useInbox().info;
  const command = text.replace(/^svc (?!templates init).*$/gm, (line) => line + command_flags);
  return <CopyText text={command} {...(label !== undefined && { label })} />;
}
