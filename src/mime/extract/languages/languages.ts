import { chinese } from './chinese.js';
import { dutch } from './dutch.js';
import { english } from './english.js';
import { french } from './french.js';
import { german } from './german.js';
import { italian } from './italian.js';
import { japanese } from './japanese.js';
import type { Language } from './language.js';
import { others } from './others.js';
import { polish } from './polish.js';
import { portuguese } from './portuguese.js';
import { russian } from './russian.js';
import { spanish } from './spanish.js';

/** All languages: messages mix them, so that none is chosen. */
export const languages: readonly Language[] = [
  english,
  german,
  french,
  spanish,
  portuguese,
  italian,
  dutch,
  polish,
  russian,
  japanese,
  chinese,
  others,
];
