import type { Prompt, Protocol } from '../protocol.ts'
import { hermes, prompt as hermesPrompt } from './hermes.ts'

export const think: Protocol<'think'> = {
  ...hermes,
  id: 'think',
  dialect: 'hermes',
  about: 'Models that think in tags: as Hermes',
  variants: [],
  general: [],
  models: [],
}

export const prompt: Prompt = hermesPrompt
