#!/usr/bin/env node
const { join } = require('node:path');
const { openBundle } = require('../dist/loader.js');

/** Node's own exit code for a program that waits for a promise that never resolves. */
const UNSETTLED = 13;

let settled = false;
process.once('exit', (code) => {
  if (!settled && code === 0) process.exitCode = UNSETTLED;
});
start();

async function start() {
  const load = await openBundle(join(__dirname, '../dist'), require);
  const ending = await load('main').main(process.argv.slice(2), __filename);
  settled = true;
  if (ending === 'end') process.exit();
}
