import manifest from '../package.json' with { type: 'json' };

/** The package's version, as package.json has it. */
export const version: string = manifest.version;
