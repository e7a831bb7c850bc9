// Property tests are reproducible: the same cases on every machine. LAWS_SEED=123 uses another seed, LAWS_SEED=random a new one each time.
import fc from 'fast-check'

const given = process.env['LAWS_SEED'] ?? '20261115'
fc.configureGlobal({ seed: given === 'random' ? Date.now() | 0 : Number(given) })
