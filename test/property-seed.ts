import fc from 'fast-check'

/**
 * Every run of the suite tries the same random cases, so that a red run means a change and can be repeated. Other cases
 * are tried with `PROPERTY_SEED=$RANDOM npm test`; the seed of a failure is in its message.
 */
fc.configureGlobal({ seed: Number(process.env.PROPERTY_SEED ?? 20261116) })
