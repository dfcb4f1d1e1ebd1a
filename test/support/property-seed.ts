import fc from 'fast-check';

/**
 * Property tests try the same cases in every run, so that a result depends only on the change.
 * `FAST_CHECK_SEED=$RANDOM npm run test:unit` tries other cases. A failure prints what is needed to
 * repeat it.
 */
fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: Number(process.env.FAST_CHECK_SEED ?? 20_261_121) });
