// Property tests repeat: the same cases on every machine. LAWS_SEED=123 tries others, LAWS_SEED=random new ones.
import fc from 'fast-check'

const given = process.env['LAWS_SEED'] ?? '20261115'
fc.configureGlobal({ seed: given === 'random' ? Date.now() | 0 : Number(given) })
