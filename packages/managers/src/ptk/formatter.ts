import { foldConversation } from '@toolglot/agent/context'
import { printPrompt, printResult } from '@toolglot/core'
import { describeTool } from '@toolglot/core/protocols/ptk'
import type { PTKMessage, PTKTool, PTKToolResult } from './types.ts'

/** Prints prompts and results in the protocol `ptk`. */
export class PTKFormatter {
  /** Describes the tools, and how to call them. */
  formatSystemPrompt(tools: readonly PTKTool[]): string {
    return tools.length === 0 ? '' : printPrompt('ptk', tools)
  }

  /** Describes the tools alone. */
  formatToolDefinitions(tools: readonly PTKTool[]): string {
    return tools.map(describeTool).join('\n\n')
  }

  /** Writes a conversation as one text, which ends where the model continues. */
  formatConversation(history: readonly PTKMessage[]): string {
    return foldConversation(history)
  }

  /** Prints how a call ended. Marks in it are made inert. */
  formatToolResult({ success, data, error }: PTKToolResult): string {
    const output = success ? data : (error ?? 'It failed.')
    return printResult('ptk', { call: { name: 'tool' }, output, failed: !success })
  }
}

/** What a formatter does. */
export type IPTKFormatter = Pick<PTKFormatter, keyof PTKFormatter>
