#!/usr/bin/env node
const { existsSync } = require('node:fs');
const { join } = require('node:path');

const root = join(__dirname, '..');
if (!['dist/loader.js', 'oclif.manifest.json'].every((file) => existsSync(join(root, file)))) {
  console.error(`Error: svc is not built.\nRun "npm run build" in ${root}.`);
  process.exit(1);
}
const { openBundle } = require('../dist/loader.js');

/** Node's own exit code for a program that waits for a promise that never resolves. */
const UNSETTLED = 13;

let settled = false;
process.once('exit', (code) => {
  if (!settled && code === 0) process.exitCode = UNSETTLED;
});
start();

async function start() {
  const load = await openBundle(join(root, 'dist'), require);
  const ending = await load('main').main(process.argv.slice(2), __filename);
  settled = true;
  if (ending === 'end') process.exit();
}
