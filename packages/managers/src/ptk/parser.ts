import { mustBe } from '@toolglot/permissions/errors/internal'
import { type Call, parse, printPrompt, printResult } from '@toolglot/core'
import { isObject } from '@toolglot/agent/internal'
import { foldConversation } from '@toolglot/agent/context'
import { describeTool } from '@toolglot/core/protocols/ptk'
import type {
  PTKResponse,
  PTKToolCall,
  PTKValidation,
  PTKMessage,
  PTKTool,
  PTKToolResult,
} from './types.ts'

/** Reads replies in the protocol `ptk`. */
export class PTKParser {
  /** Parses the first call in a reply. A reply without a call is text, as is an unreadable call. */
  parse(response: string): PTKResponse {
    const { calls, text, segments } = parse(response, { protocols: 'ptk' })
    const call = calls.find(({ complete }) => complete)
    if (call) return { type: 'tool_call', toolCall: toToolCall(call), raw: response }
    const isAllText = calls.length === 0 && segments.every(({ type }) => type !== 'malformed')
    return { type: 'text', content: isAllText ? text : response, raw: response }
  }

  /** The first call in a reply, or null if the reply contains none. */
  extract(response: string): PTKToolCall | null {
    return this.parse(response).toolCall ?? null
  }

  /**
   * Checks that a call has a name and arguments. Whether the tool exists and accepts them is
   * checked when the call runs.
   */
  validate(toolCall: PTKToolCall): PTKValidation {
    const { tool, args }: { tool?: unknown; args?: unknown } = toolCall ?? {}
    if (typeof tool !== 'string' || tool === '')
      return {
        valid: false,
        error: mustBe('tool', 'the name of a tool', tool),
      }
    return isObject(args)
      ? { valid: true }
      : { valid: false, error: mustBe('args', 'an object', args) }
  }
}

/** Converts a call to the form of these managers. */
export function toToolCall({
  name,
  args,
  reasoning,
}: Pick<Call, 'name' | 'args' | 'reasoning'>): PTKToolCall {
  return { tool: name, args, ...(reasoning !== undefined && { reasoning }) }
}

/** The interface of a parser. */
export type IPTKParser = Pick<PTKParser, keyof PTKParser>

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

  /** Prints a conversation as one text, which ends where the model continues. */
  formatConversation(history: readonly PTKMessage[]): string {
    return foldConversation(history)
  }

  /** Prints the result of a call. Marks in it are made inert. */
  formatToolResult({ success, data, error }: PTKToolResult): string {
    const output = success ? data : (error ?? 'It failed.')
    return printResult('ptk', { call: { name: 'tool' }, output, failed: !success })
  }
}

/** The interface of a formatter. */
export type IPTKFormatter = Pick<PTKFormatter, keyof PTKFormatter>
