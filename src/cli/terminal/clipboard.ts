/**
 * Copies text to the clipboard of the terminal with the control sequence OSC 52, which also works over SSH. Terminals
 * without it ignore the sequence, and do not report whether they have it.
 */
export function copyToClipboard(text: string, stdout: NodeJS.WriteStream = process.stdout): void {
  stdout.write(`\u001b]52;c;${Buffer.from(text).toString('base64')}\u0007`);
}
