/** Returns a mailbox as `Name <address>`, the name quoted where it has to be. */
export function shownMailbox({ name, address }: { name: string; address?: string | undefined }): string {
  if (!name || !address) return address || name || '';
  const phrase = /[<>@,;:"\\[\]().]/.test(name) ? `"${name.replace(/["\\]/g, '\\$&')}"` : name;
  return `${phrase} <${address}>`;
}
