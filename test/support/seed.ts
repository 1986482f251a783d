import fc from 'fast-check';

/** Sets a fixed seed, so that property tests have the same cases in every run. SVC_FUZZ_SEED overrides it. */
fc.configureGlobal({ seed: Number(process.env.SVC_FUZZ_SEED ?? 20_260_302) });
