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
  /** The protocol for calls; `native` for native function calling. Default: chosen by the model's chat template or name. */
  readonly protocol?: Protocol | ProtocolId | 'native' | undefined
  /**
   * Where the tools are described: in the prompt, or in the request, for a server whose chat template describes them. Calls
   * are read from the text of the reply either way. Default: as the model says, otherwise in the prompt.
   */
  readonly toolsIn?: 'prompt' | 'request' | undefined
  /** How long a reply may be, in tokens. */
  readonly maxOutputTokens?: number | undefined
  /** Stops reading a reply after its first call. */
  readonly stopAtFirstCall?: boolean | undefined
  /** The role of the messages that carry results. Default: user. */
  readonly resultRole?: 'user' | 'tool' | 'system' | undefined
  /** Merges messages of one role that follow each other, for servers that demand that user and assistant alternate. */
  readonly alternate?: boolean | undefined
  readonly parser?: Pick<ParserOptions, 'prefix' | 'startsInReasoning' | 'repairs'> | undefined
  /** The contents of OpenTelemetry spans. */
  readonly telemetry?: TelemetryOptions | undefined
}

/** The part of the options that is sent to the model as it is. */
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

/** Throws if a tool must be called that is not offered. */
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

/** Describes how a reply differs from the tool choice. Calls in text cannot be enforced. */
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
