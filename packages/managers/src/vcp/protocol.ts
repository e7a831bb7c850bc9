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

/** Adapts a protocol of `@toolglot/core` for these functions. */
export class CoreToolCallingProtocol implements ToolCallingProtocol {
  readonly id: string
  readonly protocol: Protocol

  constructor(protocol: Protocol | ProtocolId) {
    this.protocol = protocolOf(protocol)
    this.id = this.protocol.id
  }

  /** Describes the methods, by the names that the model must use, and how to call them. */
  generateToolDefinitions(input: readonly ToolDefinitionInput[]): string {
    const tools = input.flatMap(definitionsOf)
    return tools.length === 0 ? '' : printPrompt(this.protocol, tools)
  }

  /**
   * Parses the calls in a reply. The `toolName` is empty for a call that cannot be parsed or was
   * cut off. Never throws.
   */
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

  /** Prints the results of calls. Marks in them are made inert. */
  formatToolResults(results: readonly ToolExecutionResult[]): string {
    const printed = results.map(({ requestId, toolName, status, result }) => ({
      call: { name: toolName, id: requestId, ownId: true as const },
      output: result,
      failed: status === 'error',
    }))
    return printResults(this.protocol, printed)
  }
}

/** The VCP protocol, with every field in 「始」…「末」. */
export class VcpToolCallingProtocol extends CoreToolCallingProtocol {
  constructor() {
    super('vcp')
  }
}

/** Parses one block with a call, or returns undefined if the block contains none. */
export function parseSingleToolRequest(block: string): ParsedToolRequest | undefined {
  const [request] = new VcpToolCallingProtocol().parseToolRequests(block)
  return request?.toolName ? request : undefined
}

/** This program's own protocols, by id. The protocols of `@toolglot/core` are always available. */
export const SUPPORTED_PROTOCOLS: Map<string, ToolCallingProtocol> = new Map()

/** The protocol of a configuration, given as an id or an object. Default: VCP. */
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
  // A call that was cut off never runs.
  return complete
    ? { ...request, toolName: name }
    : { ...request, toolName: '', problem: `The call of ${name} was cut off.` }
}
