import type { Protocol } from '../protocol.ts'
import { hermes } from './hermes.ts'

export const think: Protocol<'think'> = {
  ...hermes,
  id: 'think',
  dialect: 'hermes',
  about: 'Models that think in tags: as Hermes',
  variants: [],
  general: [],
  models: [],
}
