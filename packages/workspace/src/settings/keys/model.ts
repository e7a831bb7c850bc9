import type { SettingsKey } from './key.ts'
import { textKey } from './text.ts'

/** The default model. */
export const model: SettingsKey<string> = textKey('model', '"ollama/qwen3:8b"')
