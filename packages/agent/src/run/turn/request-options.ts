import type { ParserOptions, Protocol, ProtocolId } from '@toolglot/core'
import type { ModelRequest } from '../../model/model.ts'
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
  /** What the spans of OpenTelemetry say. */
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
