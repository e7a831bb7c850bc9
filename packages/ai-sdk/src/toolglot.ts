import type { LanguageModelV3, LanguageModelV3CallOptions } from '@ai-sdk/provider'
import { KeptReplies } from '@toolglot/agent/adapter/internal'
import { type Protocol, type ProtocolId, resolveProtocol } from '@toolglot/core'
import { collectContent, contentParts, replyParts, type ReplyPart } from './reply-parts.ts'
import { type PreparedRequest, prepareRequest } from './request.ts'

type Reader = ReadableStreamDefaultReader<ReplyPart>

/** Options for giving tools to a model. */
export interface ToolglotOptions {
  /**
   * The protocol of the model's calls. Default: `auto`, which uses the chat template or the model's
   * id, or else Hermes.
   */
  readonly protocol?: Protocol | ProtocolId | 'auto' | undefined
  /**
   * The place where the tools are described: in the prompt or, for a server whose chat template
   * describes them, in the request. In both cases, calls are read from the text of the reply.
   * Default: `prompt`.
   */
  readonly toolsIn?: 'prompt' | 'request' | undefined
  /** Repair calls that are not quite right. If false, they are text. Default: true. */
  readonly repairs?: boolean | undefined
  /**
   * Return a call that may be an example even if other text surrounds it: one in a code fence, in
   * another protocol, without marks, in reasoning, or after a result that the model made up.
   * Default: false, so it is text.
   */
  readonly callsInProse?: boolean | undefined
  /**
   * Stream arguments while the model writes them. Such input may end without a call. Default:
   * false, so only complete calls are sent.
   */
  readonly streamArguments?: boolean | undefined
  /**
   * True if the model's replies begin inside reasoning, because its chat template has opened it.
   */
  readonly startsInReasoning?: boolean | undefined
  /**
   * The beginning of the model's replies, if its chat template has already written it, such as
   * `<think>\n`.
   */
  readonly prefix?: string | undefined
  /**
   * True if the model can continue a reply whose beginning is given. Then a required call is begun
   * for it. Default: false.
   */
  readonly prefill?: boolean | undefined
  /** The model's chat template, which identifies the protocol more reliably than the model's id. */
  readonly chatTemplate?: string | undefined
  /**
   * The size of the model's context window in tokens. Tools that would take too much of it are
   * described more briefly.
   */
  readonly contextTokens?: number | undefined
}

/** The arguments of an AI SDK middleware: the wrapped model and the request. */
export interface WrappedCall {
  readonly model: { readonly modelId: string }
  readonly params: object
}

/**
 * A middleware for `wrapLanguageModel` in `ai` 6 and 7. It compiles without the SDK's own types.
 */
export interface ToolglotMiddleware {
  readonly specificationVersion: 'v3'
  wrapGenerate<Result>(
    call: WrappedCall & { readonly doGenerate: () => PromiseLike<Result> },
  ): Promise<Result>
  wrapStream<Result>(
    call: WrappedCall & { readonly doStream: () => PromiseLike<Result> },
  ): Promise<Result>
}

/**
 * Middleware for `wrapLanguageModel` that lets a model call tools in text. Tools and history are
 * described in the model's own protocol, and calls are read from its text.
 */
export function toolglot(options: ToolglotOptions = {}): ToolglotMiddleware {
  checkOptions(options)
  const kept = new KeptReplies(MAX_KEPT)
  // Versions 3 and 4 of the SDK's specification are the same in the parts used here.
  const prepare = ({
    model,
    params,
  }: WrappedCall): PreparedRequest & { model: LanguageModelV3 } => ({
    model: model as LanguageModelV3,
    ...prepareRequest(params as LanguageModelV3CallOptions, model.modelId, options, kept),
  })
  return {
    specificationVersion: 'v3',

    async wrapGenerate<Result>(call: WrappedCall): Promise<Result> {
      const { model, request, reading } = prepare(call)
      const result = await model.doGenerate(request)
      const parts = replyParts(contentParts(result), reading)
      return { ...result, ...(await collectContent(parts)) } as Result
    },

    async wrapStream<Result>(call: WrappedCall): Promise<Result> {
      const { model, request, reading } = prepare(call)
      const result = await model.doStream(request)
      const reader = result.stream.getReader()
      const parts = replyParts(partsIn(reader), reading)
      return { ...result, stream: streamOf(parts, reader) } as Result
    },
  }
}

/** The number of characters of replies to keep. */
const MAX_KEPT = 4 << 20

const OPTIONS: { readonly [Name in keyof Required<ToolglotOptions>]: readonly [string, Test] } = {
  protocol: ['a protocol, its id or "auto"', isProtocol],
  toolsIn: ['"prompt" or "request"', (value) => value === 'prompt' || value === 'request'],
  repairs: ['true or false', isFlag],
  callsInProse: ['true or false', isFlag],
  streamArguments: ['true or false', isFlag],
  startsInReasoning: ['true or false', isFlag],
  prefix: ['a string', isText],
  prefill: ['true or false', isFlag],
  chatTemplate: ['a string', isText],
  contextTokens: [
    'a positive whole number',
    (value) => Number.isInteger(value) && Number(value) > 0,
  ],
}

type Test = (value: unknown) => boolean

function checkOptions(options: ToolglotOptions): void {
  for (const [name, value] of Object.entries(options)) {
    const rule = Object.hasOwn(OPTIONS, name) ? OPTIONS[name as keyof ToolglotOptions] : undefined
    if (!rule)
      throw new TypeError(
        `Unknown option "${name}" of toolglot(). Known options: ${Object.keys(OPTIONS).join(', ')}.`,
      )
    const [expected, test] = rule
    if (value !== undefined && !test(value))
      throw new TypeError(`The option "${name}" of toolglot() must be ${expected}.`)
  }
}

function isFlag(value: unknown): boolean {
  return typeof value === 'boolean'
}

function isText(value: unknown): boolean {
  return typeof value === 'string'
}

function isProtocol(value: unknown): boolean {
  // Throws an error that lists the ids.
  return value === 'auto' || Boolean(resolveProtocol(value as Protocol | ProtocolId))
}

/**
 * The parts of a stream. The stream is cancelled unless it is read to the end. Not a generator,
 * which would need several promises for each part.
 */
function partsIn(reader: Reader): AsyncIterable<ReplyPart> {
  return {
    [Symbol.asyncIterator]: () => ({
      next: () => reader.read(),
      async return() {
        // Not awaited, because the reader already has the relevant error.
        reader.cancel().catch(() => {})
        return { done: true, value: undefined }
      },
    }),
  }
}

/** A stream of parts that are created as it is read. Cancelling it also cancels the source. */
function streamOf(
  parts: AsyncGenerator<ReplyPart, void, void>,
  source: Reader,
): ReadableStream<ReplyPart> {
  return new ReadableStream<ReplyPart>({
    async pull(controller) {
      const { done, value } = await parts.next()
      if (done) controller.close()
      else controller.enqueue(value)
    },
    // Cancels the source directly, because a generator that awaits its source can't be ended before
    // the source responds.
    cancel: (reason) => source.cancel(reason),
  })
}
