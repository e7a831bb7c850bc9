import { commandFiles } from './command-files.ts'
import { context } from './context.ts'
import { defaultToolEnabled } from './default-tool-enabled.ts'
import { gateway } from './gateway.ts'
import { keepAlive } from './keep-alive.ts'
import type { SettingsKey } from './key.ts'
import { languageServers } from './language-servers.ts'
import { limits } from './limits.ts'
import { mcpServers } from './mcp-servers.ts'
import { model } from './model.ts'
import { modelProtocols } from './model-protocols.ts'
import { paidProviders } from './paid-providers.ts'
import { retention } from './retention.ts'
import { sandbox } from './sandbox.ts'
import { server } from './server.ts'
import { temperature } from './temperature.ts'
import { testCommand } from './test-command.ts'
import { thinking } from './thinking.ts'
import { toolToggles } from './tool-toggles.ts'
import { tools } from './tools.ts'

export const settingsKeys: readonly SettingsKey<unknown>[] = [
  commandFiles,
  context,
  defaultToolEnabled,
  gateway,
  keepAlive,
  languageServers,
  limits,
  mcpServers,
  model,
  modelProtocols,
  paidProviders,
  retention,
  sandbox,
  server,
  temperature,
  testCommand,
  thinking,
  toolToggles,
  tools,
]
