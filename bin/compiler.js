/** Starts a process that compiles sources of templates, with the compilers of their project. */
const { join } = require('node:path');
const { openBundle } = require('../dist/loader.js');

openBundle(join(__dirname, '../dist'), require).then((load) => load('compiler').main(process.exit));
