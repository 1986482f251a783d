import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');

/** Collects garbage. A single run frees some memory on another thread only; a second one waits for it. */
export const collectGarbage = runInNewContext('gc') as () => void;
