// Folder: The OpenCode plugin.
import { execute, type ExecuteOptions, type ExecuteResult, type Tool } from '@toolglot/agent'
import { withoutUndefined } from '@toolglot/agent/internal'
import { approvalQuestion, takeImage } from '@toolglot/tools/internal'
import type { z } from 'zod'
import { openTools } from '../tools/open-tools.ts'
import { openWorkspace } from '../workspace.ts'
import type { Plugin, PluginModule, ToolContext, ToolDefinition, ToolResult } from './api.ts'

/** The name of our approvals in OpenCode's rules. */
const PERMISSION = 'toolglot'

/**
 * An OpenCode plugin that offers Toolglot's tools with the settings of the folder. With `{ ask:
 * true }`, OpenCode asks the user for approvals. Otherwise, calls that need approval are denied.
 */
const server: Plugin = async ({ directory }, { ask = false } = {}) => {
  const interactive = ask === true
  const workspace = await openWorkspace(directory, { interactive })
  const permissions = await workspace.permissions()
  const { host, tools, close } = await openTools(workspace, { canonicalOnly: true })
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
    dispose: close,
  }
}

const toolglot: PluginModule = { id: 'toolglot', server }

/** The plugin. It must be the only export, because OpenCode treats every export as a plugin. */
export default toolglot

function definitionOf(
  { name, description, parameters }: Tool,
  options: ExecuteOptions,
  interactive: boolean,
): ToolDefinition {
  let calls = 0
  return {
    description,
    // All canonical tools have a zod schema.
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
    const { parts } = decision
    try {
      await context.ask({
        permission: PERMISSION,
        patterns: parts.filter(({ verdict }) => verdict !== 'allow').map(({ what }) => what),
        // An answer applies to this call only.
        always: [],
        metadata: { question: approvalQuestion(call, decision, fileSystem.cwd) },
      })
      return { verdict: 'allow' }
    } catch (error) {
      // Every error counts as a denial.
      return { verdict: 'deny', reason: error instanceof Error ? error.message : undefined }
    }
  }
}

/**
 * Adds a final rule that requires approval for our tools, because OpenCode allows all calls that no
 * rule matches.
 */
function withAskRule(permission: unknown): Record<string, unknown> {
  const rules = typeof permission === 'string' ? { '*': permission } : permission
  const { [PERMISSION]: _, ...others } = (rules ?? {}) as Record<string, unknown>
  return { ...others, [PERMISSION]: 'ask' }
}

/** The maximum number of characters of output to show while a command runs. */
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

/** Converts a result to OpenCode's form. A failure is thrown, with its details as the cause. */
function toolResultOf(outcome: ExecuteResult): ToolResult {
  if (outcome.status === 'error') {
    const { failure } = outcome
    throw new Error(`${failure.error_type}: ${failure.message}`, { cause: failure })
  }
  const { data: metadata = {}, image } = takeImage(outcome.result) ?? {}
  const answer = { output: outcome.text, metadata: withoutUndefined(metadata) }
  if (!image) return answer
  const url = `data:${image.media_type};base64,${image.data}`
  return { ...answer, attachments: [{ type: 'file', mime: image.media_type, url }] }
}
