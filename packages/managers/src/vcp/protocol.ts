import {
  type Call,
  parse,
  type Protocol,
  type ProtocolId,
  printPrompt,
  printResults,
  resolveProtocol as protocolOf,
  type ToolDefinition,
} from '@toolglot/core'
import { jsonSchemaOf, parametersOf } from '@toolglot/agent/internal'
import type {
  ParsedToolRequest,
  ToolCallingProtocol,
  ToolDefinitionInput,
  ToolExecutionResult,
} from './registry.ts'

/** A protocol of `@toolglot/core` as these functions use it. */
export class CoreToolCallingProtocol implements ToolCallingProtocol {
  readonly id: string
  readonly protocol: Protocol

  constructor(protocol: Protocol | ProtocolId) {
    this.protocol = protocolOf(protocol)
    this.id = this.protocol.id
  }

  /** Describes the methods, each by the name that the model must write, and how to call them. */
  generateToolDefinitions(input: readonly ToolDefinitionInput[]): string {
    const tools = input.flatMap(definitionsOf)
    return tools.length === 0 ? '' : printPrompt(this.protocol, tools)
  }

  /** Reads the calls of a reply. The `toolName` of one that cannot be read, or was cut off, is empty. Never throws. */
  parseToolRequests(finalText: string): ParsedToolRequest[] {
    const { segments } = parse(finalText, { protocols: this.protocol })
    return segments.flatMap((segment): ParsedToolRequest[] => {
      if (segment.type === 'call') return [requestOf(segment.call)]
      if (segment.type !== 'malformed') return []
      const { raw: rawBlock, hint: problem } = segment
      const requestId = crypto.randomUUID().slice(0, 8)
      return [{ requestId, toolName: '', rawBlock, args: {}, problem }]
    })
  }

  /** Prints how calls ended. Marks in the results are made inert. */
  formatToolResults(results: readonly ToolExecutionResult[]): string {
    const printed = results.map(({ requestId, toolName, status, result }) => ({
      call: { name: toolName, id: requestId, ownId: true as const },
      output: result,
      failed: status === 'error',
    }))
    return printResults(this.protocol, printed)
  }
}

/** The protocol VCP: every field in 「始」…「末」. */
export class VcpToolCallingProtocol extends CoreToolCallingProtocol {
  constructor() {
    super('vcp')
  }
}

/** Reads one block with a call; undefined if there is none. */
export function parseSingleToolRequest(block: string): ParsedToolRequest | undefined {
  const [request] = new VcpToolCallingProtocol().parseToolRequests(block)
  return request?.toolName ? request : undefined
}

/** Protocols of this program, by id. Those of `@toolglot/core` need not be added. */
export const SUPPORTED_PROTOCOLS: Map<string, ToolCallingProtocol> = new Map()

/** The protocol of a configuration: an id, a protocol, or by default VCP. */
export function resolveProtocol(
  given: ToolCallingProtocol | Protocol | string = 'vcp',
): ToolCallingProtocol {
  if (typeof given !== 'string')
    return 'parseToolRequests' in given ? given : new CoreToolCallingProtocol(given)
  return SUPPORTED_PROTOCOLS.get(given) ?? new CoreToolCallingProtocol(given as ProtocolId)
}

function definitionsOf({ toolId, methods }: ToolDefinitionInput): readonly ToolDefinition[] {
  return methods.map((method) => ({
    name: `${toolId}_${method.protocolConfig?.vcpCommand ?? method.name}`,
    description: method.description ?? '',
    parameters: jsonSchemaOf(parametersOf(method)),
  }))
}

function requestOf(call: Call): ParsedToolRequest {
  const { id: requestId, name, args, complete, raw: rawBlock } = call
  const strings = Object.entries(args).map(([key, value]) => [
    key,
    typeof value === 'string' ? value : JSON.stringify(value),
  ])
  const request = { requestId, rawBlock, args: Object.fromEntries(strings), call }
  // Nothing that was cut off is run.
  return complete
    ? { ...request, toolName: name }
    : { ...request, toolName: '', problem: `The call of ${name} was cut off.` }
}
