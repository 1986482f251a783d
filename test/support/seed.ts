import fc from 'fast-check';

/** Uses the same cases for every property in each run, those of SVC_FUZZ_SEED where it is set. */
fc.configureGlobal({ seed: Number(process.env.SVC_FUZZ_SEED ?? 20_260_302) });
