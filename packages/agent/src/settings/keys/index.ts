import type { SettingsKey } from './key.ts'
import { languageServers } from './language-servers.ts'
import { mcpServers } from './mcp-servers.ts'
import { model } from './model.ts'
import { testCommand } from './test-command.ts'

export const settingsKeys: readonly SettingsKey<unknown>[] = [
  languageServers,
  mcpServers,
  model,
  testCommand,
]
