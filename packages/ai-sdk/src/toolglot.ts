import type { LanguageModelV3, LanguageModelV3CallOptions } from '@ai-sdk/provider'
import { KeptReplies } from '@toolglot/agent/adapter/internal'
import { type Protocol, type ProtocolId, resolveProtocol } from '@toolglot/core'
import { collectContent, contentParts, replyParts, type ReplyPart } from './reply-parts.ts'
import { type PreparedRequest, prepareRequest } from './request.ts'

type Reader = ReadableStreamDefaultReader<ReplyPart>

/** How a model is given tools. */
export interface ToolglotOptions {
  /** The protocol in which the model writes calls. Default: `auto`, by its chat template or its id; Hermes if that is unknown. */
  readonly protocol?: Protocol | ProtocolId | 'auto' | undefined
  /**
   * Where the tools are described: in the prompt, or in the request, for a server whose chat template describes them. Calls
   * are read from the text of the reply either way. Default: in the prompt.
   */
  readonly toolsIn?: 'prompt' | 'request' | undefined
  /** Whether calls that are not quite right are repaired. If false, they are text. Default: true. */
  readonly repairs?: boolean | undefined
  /**
   * Whether a call that may be an example is handed out even if other text is around it: one in a code fence, in another protocol,
   * without marks, in reasoning, or after a result that the model made up. Default: false, so it is text.
   */
  readonly callsInProse?: boolean | undefined
  /**
   * Whether arguments are streamed while the model writes them. Such input may end without a call. Default: false, so a call
   * leaves whole or not at all.
   */
  readonly streamArguments?: boolean | undefined
  /** The model's replies begin inside reasoning, because its chat template has opened it. */
  readonly startsInReasoning?: boolean | undefined
  /** How the model's replies begin, if its chat template has written that already, such as `<think>\n`. */
  readonly prefix?: string | undefined
  /** The model continues a reply whose beginning is given: a call that must be made is begun for it. Default: false. */
  readonly prefill?: boolean | undefined
  /** The model's chat template: it identifies the protocol more reliably than the model's id. */
  readonly chatTemplate?: string | undefined
  /** The size of the model's context window, in tokens: tools that take too much of it are described more briefly. */
  readonly contextTokens?: number | undefined
}

/** The arguments of a middleware of the AI SDK: the wrapped model and the request. */
export interface WrappedCall {
  readonly model: { readonly modelId: string }
  readonly params: object
}

/** The middleware that `wrapLanguageModel` takes, of `ai` 6 as well as 7. The SDK's own types are not needed to compile it. */
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
 * Middleware for `wrapLanguageModel` that lets a model call tools in text: tools and history are described in the model's own
 * protocol, and its calls are read out of what it writes.
 */
export function toolglot(options: ToolglotOptions = {}): ToolglotMiddleware {
  checkOptions(options)
  const kept = new KeptReplies(MAX_KEPT)
  // Versions 3 and 4 of the SDK's specification do not differ in what is used here.
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

/** How many characters of replies are kept. */
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
      throw new TypeError(`Expected the option "${name}" of toolglot() to be ${expected}.`)
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
 * The parts of a stream, which is cancelled if they are not read to the end. An iterator, and not a generator, which takes
 * several promises for each part.
 */
function partsIn(reader: Reader): AsyncIterable<ReplyPart> {
  return {
    [Symbol.asyncIterator]: () => ({
      next: () => reader.read(),
      async return() {
        // A reader that stops does not wait for it, and has the error that matters.
        reader.cancel().catch(() => {})
        return { done: true, value: undefined }
      },
    }),
  }
}

/** A stream of parts that are made while it is read. Cancelling it cancels the one they are made of. */
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
    // A generator that waits for its source could only be ended afterwards.
    cancel: (reason) => source.cancel(reason),
  })
}
