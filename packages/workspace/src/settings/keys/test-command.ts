import type { SettingsKey } from './key.ts'
import { textKey } from './text.ts'

/** The command that run_tests runs. */
export const testCommand: SettingsKey<string> = textKey('testCommand', '"npm test"')
