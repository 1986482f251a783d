/**
 * Whether every response is to be held against the contract, and answered with `internal_error` when it breaks it. For svc's
 * own tests of the built command line, which have no other way to switch it on.
 */
export function checkResponses(env: NodeJS.ProcessEnv): boolean {
  return env.SVC_CHECK_RESPONSES === '1';
}
