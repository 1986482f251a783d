/**
 * Appends the path of each JavaScript file that the process reads to the file TRACE_LOADS. Preloaded with --require.
 */
const fs = require('node:fs');

const { readFileSync, appendFileSync } = fs;
fs.readFileSync = (path, ...rest) => {
  if (String(path).endsWith('.js')) appendFileSync(process.env.TRACE_LOADS, `${path}\n`);
  return readFileSync(path, ...rest);
};
