import type { Protocol } from '../protocol.ts'
import { qwen3Coder } from './qwen3-coder.ts'

export const kExaone: Protocol = {
  ...qwen3Coder,
  id: 'k-exaone',
  about: 'K-EXAONE: as Qwen3-Coder',
  models: [/k-exaone/i],
}
