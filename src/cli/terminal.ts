/** Whether a live view may take the screen: a terminal on both ends, and neither a CI nor a terminal that cannot. */
export function canShowView(
  env: NodeJS.ProcessEnv,
  { stdin, stdout }: { stdin: { isTTY?: boolean }; stdout: { isTTY?: boolean } } = process,
): boolean {
  // ink keeps still under these too.
  const inCi = Object.keys(env).some((name) => /^(CI|CI_.*|CONTINUOUS_INTEGRATION)$/.test(name));
  return stdin.isTTY === true && stdout.isTTY === true && env.TERM !== 'dumb' && !inCi;
}
