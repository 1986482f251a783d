import { fileURLToPath } from 'node:url';

/** Removes settings of the developer's machine that tests must not depend on. */

/** Tests set colors themselves. */
delete process.env.NO_COLOR;
delete process.env.FORCE_COLOR;

/** No test opens a browser of the machine. */
delete process.env.BROWSER;
delete process.env.DISPLAY;
delete process.env.WAYLAND_DISPLAY;

/** Node reads this file at every start, which takes longer than the start itself. Only npm connects to other machines. */
const { NODE_EXTRA_CA_CERTS } = process.env;
if (NODE_EXTRA_CA_CERTS) process.env.SVC_TEST_CA_CERTS = NODE_EXTRA_CA_CERTS;
delete process.env.NODE_EXTRA_CA_CERTS;

/** Commands of one test must not report the running servers of tests in other processes. */
const cache = fileURLToPath(new URL('../../node_modules/.cache', import.meta.url));
process.env.XDG_STATE_HOME = `${cache}/svc-tests-state/${process.env.VITEST_POOL_ID ?? '0'}`;
