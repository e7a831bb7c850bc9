import {
  judgeFile,
  languageServersKey,
  type Permissions,
  saidOf,
  type Settings,
  type Tool,
  type World,
} from '@toolglot/agent'
import { machineOf } from '@toolglot/agent/node'
import type { Checkpoints, Host, NodeLanguageOptions } from '@toolglot/tools'
import type { Terminal } from '../terminal.ts'
import type { InForce } from './permissions.ts'

/** The tools as they work in a folder: what may not be read is left out of what they find. */
export async function toolsOf(
  permissions: Permissions,
  world: World,
  terminal: Terminal,
  more: Partial<Pick<InForce, 'settings' | 'trusted'>> = {},
): Promise<{ host: Host; tools: ReadonlyMap<string, Tool>; checkpoints: Checkpoints }> {
  // Only commands that use them wait for the tools to be loaded.
  const { createCheckpoints, createTools, nodeHost, nodeStorage, searchProviderFrom } =
    await import('@toolglot/tools')
  const storage = nodeStorage(machineOf(terminal.env).state)
  const host = nodeHost({
    world,
    storage,
    environment: terminal.env,
    language: {
      trusted: more.trusted ?? false,
      servers: more.settings ? serversIn(more.settings) : [],
    },
  })
  const judge = judgeFile(permissions.rules, world)
  const allowed = (path: string): boolean =>
    judge({ kind: 'read', path, cwd: world.cwd, because: 'search' }).verdict !== 'deny'
  const provider = searchProviderFrom(terminal.env)
  const options = { allowed, rules: () => permissions.rules, ...(provider && { provider }) }
  return { host, tools: createTools(host, options), checkpoints: createCheckpoints(host) }
}

/** Language servers of one's own, the strongest scope's first. */
function serversIn(settings: Settings): NonNullable<NodeLanguageOptions['servers']> {
  return saidOf(settings, languageServersKey).flatMap(({ value, source }) =>
    value.map(({ name, command, endings, language = name, markers = [] }) => ({
      name,
      command,
      languages: Object.fromEntries(endings.map((ending) => [ending, language])),
      markers,
      install: `see languageServers in ${source.file ?? 'the settings'}`,
    })),
  )
}
