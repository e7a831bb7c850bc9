import { gateway } from './gateway.ts'
import type { SettingsKey } from './key.ts'
import { languageServers } from './language-servers.ts'
import { limits } from './limits.ts'
import { mcpServers } from './mcp-servers.ts'
import { context, keepAlive, model, paidProviders, temperature, thinking } from './model.ts'
import { modelProtocols } from './model-protocols.ts'
import { retention } from './retention.ts'
import { sandbox } from './sandbox.ts'
import { server } from './server.ts'
import { commandFiles, defaultToolEnabled, testCommand, tools, toolToggles } from './tools.ts'

/** All keys, in the order used by settings.schema.json and in lists of settings. */
export const settingsKeys: readonly SettingsKey<unknown>[] = [
  tools,
  toolToggles,
  defaultToolEnabled,
  languageServers,
  commandFiles,
  model,
  context,
  temperature,
  thinking,
  keepAlive,
  modelProtocols,
  paidProviders,
  limits,
  sandbox,
  retention,
  server,
  gateway,
  testCommand,
  mcpServers,
]
