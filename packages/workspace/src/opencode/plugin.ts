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

/** The name of our approvals in OpenCode's rules. */
const PERMISSION = 'toolglot'

/**
 * An OpenCode plugin that offers the tools, with the settings of the folder. With `{ ask: true }`, OpenCode asks the user
 * for approvals; otherwise, calls that need approval are denied.
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
  // OpenCode has its own tool for questions.
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

// The only export, because OpenCode loads every export as a plugin.
export default toolglot

function definitionOf(
  { name, description, parameters }: Tool,
  options: ExecuteOptions,
  interactive: boolean,
): ToolDefinition {
  let calls = 0
  return {
    description,
    // All of our tools have zod schemas.
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
        // An answer is valid for this call only.
        always: [],
        metadata: { question: approvalQuestion(call, decision, fileSystem.cwd) },
      })
      return { verdict: 'allow' }
    } catch (error) {
      // Any failure means that nobody approved.
      return { verdict: 'deny', ...(error instanceof Error && { reason: error.message }) }
    }
  }
}

/** Adds a final rule to ask for our approvals, because OpenCode allows what no rule matches. */
function withAskRule(permission: unknown): Record<string, unknown> {
  const rules = typeof permission === 'string' ? { '*': permission } : permission
  const { [PERMISSION]: _, ...others } = (rules ?? {}) as Record<string, unknown>
  return { ...others, [PERMISSION]: 'ask' }
}

/** How many characters of output are shown while a command runs. */
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

/** Converts a result to OpenCode's. A failure is thrown, with its details as the cause. */
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
