/** Returns a usage line such as `emails get ID [flags]`: the words, the arguments and the required flags. */
export function usageLine({ id, usage, args, flags }: Usage): string {
  if (usage) return [usage].flat().join('\n');
  const placed = Object.values(args).map(({ name, required }) => {
    return required ? name.toUpperCase() : `[${name.toUpperCase()}]`;
  });
  const needed = Object.values(flags).filter(({ required }) => required);
  return [
    id.replaceAll(':', ' '),
    ...placed,
    ...needed.map(({ name, ...flag }) => `--${name} ${valueName(flag)}`),
    '[flags]',
  ].join(' ');
}

/**
 * Returns the placeholder of a flag's value.
 * @public for scripts/cli-docs.js
 */
export function valueName(flag: { helpValue?: string | string[]; options?: readonly string[] }): string {
  const { helpValue, options } = flag;
  return [helpValue ?? []].flat().join(' ') || (options?.join('|') ?? 'VALUE');
}

/** The parts of a command that its usage line contains. */
interface Usage {
  id: string;
  usage?: string | string[] | undefined;
  args: Record<string, { name: string; required?: boolean }>;
  flags: Record<
    string,
    { name: string; required?: boolean; helpValue?: string | string[]; options?: readonly string[] }
  >;
}
