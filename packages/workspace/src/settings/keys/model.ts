import type { SettingsKey } from './key.ts'
import { textKey } from './text.ts'

/** The model that is used if none is named. */
export const model: SettingsKey<string> = textKey('model', '"ollama/qwen3:8b"')
