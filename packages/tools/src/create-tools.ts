import { aliasTools, type Tool } from '@toolglot/agent'
import { toolsByName } from '@toolglot/agent/internal'
import type { AliasSettings } from '@toolglot/permissions'
import type { Host } from './host/host.ts'
import { askUserQuestionTool } from './tools/ask-user-question.ts'
import { bashInputTool } from './tools/bash-input.ts'
import { bashOutputTool } from './tools/bash-output.ts'
import { bashTool } from './tools/bash.ts'
import { editTool } from './tools/edit.ts'
import { globTool } from './tools/glob.ts'
import { grepTool } from './tools/grep.ts'
import { killShellTool } from './tools/kill-shell.ts'
import { lspTool } from './tools/lsp.ts'
import { readTool } from './tools/read.ts'
import { todoWriteTool } from './tools/todo-write.ts'
import { type WebFetchOptions, webFetchTool } from './tools/web-fetch.ts'
import { type WebSearchOptions, webSearchTool } from './tools/web-search.ts'
import { writeTool } from './tools/write.ts'

/** Options for `createTools`. */
export interface ToolsOptions
  extends AliasSettings, Pick<WebFetchOptions, 'extractor'>, Pick<WebSearchOptions, 'provider'> {
  /** Includes aliases, such as `read_file`. Default: false. */
  readonly aliases?: boolean | undefined
}

/** Creates all tools of a host, by name. */
export function createTools(host: Host, options: ToolsOptions = {}): ReadonlyMap<string, Tool> {
  const tools = toolsByName([
    readTool(host),
    writeTool(host),
    editTool(host),
    globTool(host),
    grepTool(host),
    bashTool(host),
    bashOutputTool(host),
    bashInputTool(host),
    killShellTool(host),
    askUserQuestionTool(host),
    todoWriteTool(host),
    lspTool(host),
    webFetchTool(host, options),
    webSearchTool(host, options),
  ])
  return options.aliases ? new Map([...tools, ...toolsByName(aliasTools(tools, options))]) : tools
}
