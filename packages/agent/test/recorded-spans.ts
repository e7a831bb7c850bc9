import { context, trace } from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  type ReadableSpan,
  SimpleSpanProcessor,
  type SpanProcessor,
} from '@opentelemetry/sdk-trace-base'
import { afterAll, afterEach, beforeAll, expect } from 'vitest'
import { type ScriptedReply, scriptedModel } from '../src/model/scripted-model.ts'
import type { RunOptions } from '../src/run/options.ts'
import { tool } from '../src/tool/tool.ts'
import { ToolError } from '../src/tool/tool-error.ts'

/** Text that must not appear in spans. */
export const SECRET = 'the launch code is 1234'

/** A call in the notation used by the model of `optionsFor`. */
export const call = (name: string, args: object = {}): string =>
  `<tool_call>\n${JSON.stringify({ name, arguments: args })}\n</tool_call>`

const echo = tool({
  name: 'echo',
  description: 'Returns the text',
  parameters: { type: 'object', properties: { text: { type: 'string' } } },
  readOnly: true,
  execute: async ({ text }) => {
    // Spans started by a tool are children of the tool's span.
    const inner = trace.getTracer('test').startSpan('inside')
    await new Promise((resolve) => setImmediate(resolve))
    inner.end()
    return `echo: ${String(text)}`
  },
})

const failing = tool({
  name: 'failing',
  description: 'Fails',
  parameters: { type: 'object', properties: {} },
  readOnly: true,
  execute: () => {
    throw new ToolError('not_found', SECRET)
  },
})

const changing = tool({
  name: 'changing',
  description: 'Changes something',
  parameters: { type: 'object', properties: {} },
  execute: () => 'changed',
})

/** Called when a tool hangs. */
export const onHang = { run: (): void => {} }

const hanging = tool({
  name: 'hanging',
  description: 'Waits until it is stopped',
  parameters: { type: 'object', properties: {} },
  readOnly: true,
  execute: (_, { signal }) =>
    new Promise((_resolve, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason as Error))
      onHang.run()
    }),
})

/** Tools that succeed, fail, need approval and hang. */
export const tools = [echo, failing, changing, hanging]

/** The options of a run whose model follows a script. */
export function optionsFor(
  script: readonly ScriptedReply[],
  more: Partial<RunOptions> = {},
): RunOptions {
  return { model: scriptedModel(script, { name: 'hermes' }), tools, prompt: SECRET, ...more }
}

/** The spans of a test file, recorded by the SDK. */
export interface RecordedSpans {
  /** The spans that have ended. */
  readonly spans: () => ReadableSpan[]
  readonly named: (name: string) => ReadableSpan[]
  /** The name of a span's parent. */
  readonly parentOf: (span: ReadableSpan) => string | undefined
  /** All spans, each after its parent. */
  readonly tree: () => string[]
  /** The names of the started spans, in order. */
  readonly started: string[]
  readonly reset: () => void
}

/** Registers the SDK for the tests of a file. */
export function recordSpans(): RecordedSpans {
  const exporter = new InMemorySpanExporter()
  /** The started spans, in order. */
  const started: string[] = []
  const open = new Map<string, string>()
  const watcher: SpanProcessor = {
    onStart(span) {
      started.push(span.name)
      open.set(span.spanContext().spanId, span.name)
    },
    onEnd: (span) => void open.delete(span.spanContext().spanId),
    forceFlush: async () => {},
    shutdown: async () => {},
  }
  const contexts = new AsyncLocalStorageContextManager()
  beforeAll(() => {
    context.setGlobalContextManager(contexts.enable())
    const spanProcessors = [new SimpleSpanProcessor(exporter), watcher]
    trace.setGlobalTracerProvider(new BasicTracerProvider({ spanProcessors }))
  })
  afterEach(() => {
    // Every started span has ended.
    expect([...open.values()]).toEqual([])
    exporter.reset()
    started.length = 0
  })
  afterAll(() => {
    trace.disable()
    context.disable()
  })

  const spans = (): ReadableSpan[] => exporter.getFinishedSpans()
  const named = (name: string): ReadableSpan[] => spans().filter((span) => span.name === name)
  const parentOf = ({ parentSpanContext }: ReadableSpan): string | undefined =>
    spans().find((span) => span.spanContext().spanId === parentSpanContext?.spanId)?.name
  /** The tree of all spans as text. */
  const tree = (): string[] =>
    spans()
      .map((span) => `${parentOf(span) ?? '-'} > ${span.name}`)
      .sort()
  return { spans, named, parentOf, tree, started, reset: () => exporter.reset() }
}
