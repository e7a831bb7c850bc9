import type { Family, Prompt, Protocol } from '../protocol.ts'
import { hermes, prompt as hermesPrompt } from './hermes.ts'

export const think: Protocol<'think'> = {
  ...hermes,
  id: 'think',
  dialect: 'hermes',
  variants: [],
  general: [],
}

export const family: Family = { about: 'Models that think in tags: like Hermes' }

export const prompt: Prompt = hermesPrompt
