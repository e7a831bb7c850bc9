import type { SettingsKey } from './key.ts'
import { model } from './model.ts'
import { paidProviders } from './paid-providers.ts'
import { testCommand } from './test-command.ts'

export const settingsKeys: readonly SettingsKey<unknown>[] = [model, paidProviders, testCommand]
