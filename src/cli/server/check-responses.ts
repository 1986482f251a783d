/**
 * Returns whether every response is checked against the contract, and answered with `internal_error` when it violates
 * it. For svc's own tests of the built command line, which cannot enable it otherwise.
 */
export function checkResponses(env: NodeJS.ProcessEnv): boolean {
  return env.SVC_CHECK_RESPONSES === '1';
}
