import fc from 'fast-check';

/**
 * Property tests try the same cases in every run, so that a change is judged by itself.
 * `FAST_CHECK_SEED=$RANDOM npm run test:unit` explores others; a failure prints what is needed to
 * repeat it.
 */
fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: Number(process.env.FAST_CHECK_SEED ?? 20_261_121) });
