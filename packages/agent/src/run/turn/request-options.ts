import type { Call, ParserOptions, Protocol, ProtocolId, ToolDefinition } from '@toolglot/core'
import type { ModelRequest, ToolChoice } from '../../model/model.ts'
import type { TelemetryOptions } from '../telemetry/telemetry.ts'

/** The options of a request for a turn. */
export interface RequestOptions extends Pick<
  ModelRequest,
  | 'toolChoice'
  | 'prefill'
  | 'grammar'
  | 'responseFormat'
  | 'temperature'
  | 'topP'
  | 'seed'
  | 'stop'
  | 'body'
> {
  /**
   * The protocol for calls, or `native` for native function calling. Default: chosen by the model's
   * chat template or name.
   */
  readonly protocol?: Protocol | ProtocolId | 'native' | undefined
  /**
   * Describe tools in the prompt or in the request. Use the request for a server whose chat
   * template describes them. In both cases, calls are read from the text of the reply. Default: the
   * model's preference, or else the prompt.
   */
  readonly toolsIn?: 'prompt' | 'request' | undefined
  /** The maximum length of a reply, in tokens. */
  readonly maxOutputTokens?: number | undefined
  /** Stops reading a reply after its first call. */
  readonly stopAtFirstCall?: boolean | undefined
  /** The role of messages with results. Default: user. */
  readonly resultRole?: 'user' | 'tool' | 'system' | undefined
  /**
   * Merge consecutive messages with the same role, for servers that require alternating user and
   * assistant messages.
   */
  readonly alternate?: boolean | undefined
  readonly parser?: Pick<ParserOptions, 'prefix' | 'startsInReasoning' | 'repairs'> | undefined
  /** The contents of OpenTelemetry spans. */
  readonly telemetry?: TelemetryOptions | undefined
}

/** The options that are sent to the model unchanged. */
export function requestFields(
  options: RequestOptions,
): Omit<ModelRequest, 'messages' | 'tools' | 'signal'> {
  const { grammar, responseFormat, temperature, topP, seed, stop, body } = options
  const { prefill = '', maxOutputTokens: maxTokens } = options
  return {
    ...(prefill !== '' && { prefill }),
    ...(grammar && { grammar }),
    ...(responseFormat && { responseFormat }),
    ...(temperature !== undefined && { temperature }),
    ...(topP !== undefined && { topP }),
    ...(seed !== undefined && { seed }),
    ...(maxTokens !== undefined && { maxTokens }),
    ...(stop && { stop }),
    ...(body && { body }),
  }
}

/** Throws if a call is required but its tool is not offered. */
export function checkToolChoice(
  choice: ToolChoice | undefined,
  tools: readonly ToolDefinition[],
): void {
  if (choice === undefined || choice === 'auto' || choice === 'none') return
  const names = tools.map(({ name }) => name)
  if (names.length === 0) throw new TypeError('toolChoice requires a call, but there are no tools.')
  if (choice !== 'required' && !names.includes(choice.name))
    throw new TypeError(
      `toolChoice requires ${JSON.stringify(choice.name)}, which isn't one of the tools: ${names.join(', ')}.`,
    )
}

/** Describes how a reply violates the tool choice, which cannot be enforced for calls in text. */
export function missedChoice(
  choice: ToolChoice | undefined,
  calls: readonly Pick<Call, 'name'>[],
): string | undefined {
  if (choice === undefined || choice === 'auto') return undefined
  if (choice === 'none')
    return calls.length > 0 ? 'called a tool, although it must not.' : undefined
  if (calls.length === 0) return 'called no tool, although it must.'
  return choice === 'required' || calls.some(({ name }) => name === choice.name)
    ? undefined
    : `did not call ${choice.name}, although it must.`
}
