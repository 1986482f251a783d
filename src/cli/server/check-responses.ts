/**
 * Returns whether every response is checked against the contract. An invalid one becomes an `internal_error`. Tests of
 * the built command line use it, because they cannot enable the check in another way.
 */
export function checkResponses(env: NodeJS.ProcessEnv): boolean {
  return env.SVC_CHECK_RESPONSES === '1';
}
