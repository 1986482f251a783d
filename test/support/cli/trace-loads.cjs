/** Preloaded into a process: appends the path of each JavaScript file that it reads to the file TRACE_LOADS. */
const fs = require('node:fs');

const { readFileSync, appendFileSync } = fs;
fs.readFileSync = (path, ...rest) => {
  if (String(path).endsWith('.js')) appendFileSync(process.env.TRACE_LOADS, `${path}\n`);
  return readFileSync(path, ...rest);
};
