import { execute, type ExecuteOptions, type ExecuteResult, type Tool } from '@toolglot/agent'
import { nodeFileSystem } from '@toolglot/permissions/node'
import { createTools, nodeHost, nodeStorage, searchProviderFrom } from '@toolglot/tools'
import { approvalQuestion, takeImage } from '@toolglot/tools/internal'
import { permissionsOf } from '../settings/permissions-of.ts'
import { loadSettings } from '../settings/load-settings.ts'
import { userDirectories } from '../user-directories.ts'
import { resolvePath } from '../inside.ts'
import type { z } from 'zod'
import { serversIn } from '../settings/language-servers.ts'
import type { Plugin, PluginModule, ToolContext, ToolDefinition, ToolResult } from './api.ts'

/** What OpenCode's own rules call an approval that is asked for here. */
const PERMISSION = 'toolglot'

/**
 * A plugin of OpenCode that offers the tools, under the settings of the folder. With `{ ask: true }` what needs a person's
 * word is asked through OpenCode; without, it is refused.
 */
const server: Plugin = async ({ directory }, { ask = false } = {}) => {
  const directories = userDirectories(process.env)
  const { folder, settings, trust } = loadSettings(directory, { directories })
  const roots = settings.roots.map(({ path, source }) =>
    resolvePath(path, source.root ?? folder, directories.home),
  )
  const interactive = ask === true
  const permissions = { ...permissionsOf(settings), interactive }
  const host = nodeHost({
    fileSystem: nodeFileSystem({ cwd: folder, home: directories.home, roots: [folder, ...roots] }),
    storage: nodeStorage(directories.state),
    language: { trusted: trust === 'trusted', servers: serversIn(settings) },
  })
  const provider = searchProviderFrom(process.env)
  const tools = createTools(host, provider ? { provider } : {})
  const options = { tools, permissions, fileSystem: host.fileSystem }
  // It has a way of its own to ask.
  const offered = [...tools.values()].filter(({ name }) => name !== 'AskUserQuestion')
  return {
    tool: Object.fromEntries(
      offered.map((tool) => [tool.name, definitionOf(tool, options, interactive)]),
    ),
    async config(config) {
      if (interactive) config.permission = withAskRule(config.permission)
    },
    dispose: () => host.close(),
  }
}

const toolglot: PluginModule = { id: 'toolglot', server }

// OpenCode takes every other export for a plugin, too.
export default toolglot

function definitionOf(
  { name, description, parameters }: Tool,
  options: ExecuteOptions,
  interactive: boolean,
): ToolDefinition {
  let calls = 0
  return {
    description,
    // All tools of this package are described by zod.
    args: (parameters as unknown as z.ZodObject<Record<string, z.ZodType>>).shape,
    async execute(args, context) {
      const outcome = await execute(
        { id: `${name}-${++calls}`, name, args },
        {
          ...options,
          run: context.sessionID,
          signal: context.abort,
          onProgress: progressReporter(context),
          ...(interactive && { approve: approveBy(context, options.fileSystem) }),
        },
      )
      return toolResultOf(outcome)
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
        metadata: { question: approvalQuestion(call, decision, fileSystem.cwd) },
      })
      return { verdict: 'allow' }
    } catch (error) {
      // Whatever it is, nobody said yes.
      return { verdict: 'deny', ...(error instanceof Error && { reason: error.message }) }
    }
  }
}

/** OpenCode allows what it has no rule for: for what is asked here the last of its rules is to ask. */
function withAskRule(permission: unknown): Record<string, unknown> {
  const rules = typeof permission === 'string' ? { '*': permission } : permission
  const { [PERMISSION]: _, ...others } = (rules ?? {}) as Record<string, unknown>
  return { ...others, [PERMISSION]: 'ask' }
}

/** As much of the output as is shown while a command runs. */
const MAX_SHOWN = 10_000

function progressReporter(context: ToolContext): ExecuteOptions['onProgress'] & {} {
  let output = ''
  return (update) => {
    if (update.type === 'todo') return
    output = (output + (update.type === 'output' ? update.text : `${update.text}\n`)).slice(
      -MAX_SHOWN,
    )
    context.metadata({ metadata: { output } })
  }
}

/** What became of a call, as OpenCode says it: a failure is thrown, with the failure as its cause. */
function toolResultOf(outcome: ExecuteResult): ToolResult {
  if (outcome.status === 'error') {
    const { failure } = outcome
    throw new Error(`${failure.error_type}: ${failure.message}`, { cause: failure })
  }
  const { data: metadata = {}, image } = takeImage(outcome.result) ?? {}
  const answer = { output: outcome.text, metadata }
  if (!image) return answer
  const url = `data:${image.media_type};base64,${image.data}`
  return { ...answer, attachments: [{ type: 'file', mime: image.media_type, url }] }
}
