#!/usr/bin/env node
import { fileURLToPath } from 'node:url';
import { main } from '../dist/main.js';

if ((await main(process.argv.slice(2), fileURLToPath(import.meta.url))) === 'end') process.exit();
