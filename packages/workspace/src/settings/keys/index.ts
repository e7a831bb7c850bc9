import { commandFiles } from './command-files.ts'
import { gateway } from './gateway.ts'
import type { SettingsKey } from './key.ts'
import { languageServers } from './language-servers.ts'
import { mcpServers } from './mcp-servers.ts'
import { model } from './model.ts'
import { paidProviders } from './paid-providers.ts'
import { retention } from './retention.ts'
import { server } from './server.ts'
import { testCommand } from './test-command.ts'
import { tools } from './tools.ts'

export const settingsKeys: readonly SettingsKey<unknown>[] = [
  commandFiles,
  gateway,
  languageServers,
  mcpServers,
  model,
  paidProviders,
  retention,
  server,
  testCommand,
  tools,
]
