import type { Protocol } from '../protocol.ts'
import { glm } from './glm.ts'

export const laguna: Protocol = {
  ...glm,
  id: 'laguna',
  about: 'Poolside Laguna: as GLM',
  ignore: ['<assistant>', '</assistant>'],
  models: [/laguna/i, /poolside/i],
}
