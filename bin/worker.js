/** Starts a worker of the server, which parses messages in a process of its own. */
const { join } = require('node:path');
const { openBundle } = require('../dist/loader.js');

openBundle(join(__dirname, '../dist'), require).then((load) => load('worker').main(process.exit));
