import { z } from 'zod'
import type { Hooks, PluginModule, ToolContext, ToolResult } from '../src/opencode/api.ts'

/**
 * A fake of OpenCode that loads a plugin, offers its tools to a model and calls them. OpenCode
 * itself does not run.
 */
export interface FakeOpencode {
  readonly permission: unknown
  readonly schemas: Readonly<Record<string, unknown>>
  readonly call: (
    name: string,
    args: Readonly<Record<string, unknown>>,
    context?: Partial<ToolContext>,
  ) => Promise<ToolResult>
  readonly close: () => Promise<void>
}

export interface FakeConfig {
  readonly directory: string
  readonly options?: Record<string, unknown>
  readonly permission?: unknown
}

export async function fakeOpencode(
  module: object,
  { directory, options, permission }: FakeConfig,
): Promise<FakeOpencode> {
  const { server } = (module as { default: PluginModule }).default
  const hooks: Hooks = await server({ directory }, options)
  const config = { permission }
  await hooks.config(config)
  return {
    permission: config.permission,
    schemas: Object.fromEntries(
      Object.entries(hooks.tool).map(([name, { args }]) => [
        name,
        z.toJSONSchema(z.object(args), { io: 'input' }),
      ]),
    ),
    call(name, args, context = {}) {
      const tool = hooks.tool[name]
      if (!tool) return Promise.reject(new Error(`no tool ${name}`))
      return tool.execute(args, {
        sessionID: 'session',
        abort: new AbortController().signal,
        metadata: () => {},
        ask: () => Promise.reject(new Error('nobody is here')),
        ...context,
      })
    },
    close: () => hooks.dispose(),
  }
}
