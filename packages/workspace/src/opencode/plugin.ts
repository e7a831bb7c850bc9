import { execute, type ExecuteOptions, type Tool } from '@toolglot/agent'
import { questionOf } from '@toolglot/tools/internal'
import type { z } from 'zod'
import { openTools } from '../tools/open-tools.ts'
import { openWorkspace } from '../workspace.ts'
import { answerOf } from './answer.ts'
import type { Plugin, PluginModule, ToolContext, ToolDefinition } from './api.ts'

/** What OpenCode's own rules call an approval that is asked for here. */
const PERMISSION = 'toolglot'

/**
 * A plugin of OpenCode that offers the tools, under the settings of the folder. With `{ ask: true }` what needs a person's
 * word is asked through OpenCode; without, it is refused.
 */
const server: Plugin = async ({ directory }, { ask = false } = {}) => {
  const interactive = ask === true
  const workspace = await openWorkspace(directory, { interactive })
  const { host, tools, close } = await openTools(workspace, { canonicalOnly: true })
  const permissions = await workspace.permissions()
  const options = { tools, permissions, fileSystem: host.fileSystem }
  // OpenCode has its own way to ask.
  const offered = [...tools.values()].filter(({ name }) => name !== 'AskUserQuestion')
  return {
    tool: Object.fromEntries(
      offered.map((tool) => [tool.name, definitionOf(tool, options, interactive)]),
    ),
    async config(config) {
      if (interactive) config.permission = asking(config.permission)
    },
    dispose: close,
  }
}

const toolglot: PluginModule = { id: 'toolglot', server }

/** The plugin. It is the only export: OpenCode takes every other one for a plugin, too. */
export default toolglot

function definitionOf(
  { name, description, parameters }: Tool,
  options: ExecuteOptions,
  interactive: boolean,
): ToolDefinition {
  let calls = 0
  return {
    description,
    // All canonical tools are described by zod.
    args: (parameters as unknown as z.ZodObject<Record<string, z.ZodType>>).shape,
    async execute(args, context) {
      const outcome = await execute(
        { id: `${name}-${++calls}`, name, args },
        {
          ...options,
          run: context.sessionID,
          signal: context.abort,
          onProgress: progressOf(context),
          ...(interactive && { approve: approveBy(context, options.fileSystem) }),
        },
      )
      return answerOf(outcome)
    },
  }
}

function approveBy(
  context: ToolContext,
  fileSystem: ExecuteOptions['fileSystem'],
): ExecuteOptions['approve'] & {} {
  return async ({ call, decision }) => {
    try {
      await context.ask({
        permission: PERMISSION,
        patterns: decision.parts
          .filter(({ verdict }) => verdict !== 'allow')
          .map(({ what }) => what),
        // An answer counts for this call only.
        always: [],
        metadata: { question: questionOf(call, decision, fileSystem.cwd) },
      })
      return { verdict: 'allow' }
    } catch (error) {
      // Whatever it is, nobody said yes.
      return { verdict: 'deny', ...(error instanceof Error && { reason: error.message }) }
    }
  }
}

/** OpenCode allows what it has no rule for: for what is asked here the last of its rules is to ask. */
function asking(permission: unknown): Record<string, unknown> {
  const rules = typeof permission === 'string' ? { '*': permission } : permission
  const { [PERMISSION]: _, ...others } = (rules ?? {}) as Record<string, unknown>
  return { ...others, [PERMISSION]: 'ask' }
}

/** As much of the output as is shown while a command runs. */
const SHOWN = 10_000

function progressOf(context: ToolContext): ExecuteOptions['onProgress'] & {} {
  let output = ''
  return (update) => {
    if (update.type === 'todo') return
    output = (output + (update.type === 'output' ? update.text : `${update.text}\n`)).slice(-SHOWN)
    context.metadata({ metadata: { output } })
  }
}
