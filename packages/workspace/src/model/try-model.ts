import type { Model, ModelChunk } from '@toolglot/agent'
import { chooseCallFormat } from '@toolglot/agent/adapter/internal'
import { protocolOf } from '@toolglot/agent/models'
import {
  parse,
  parseArguments,
  printPrompt,
  type Finish,
  type Protocol,
  type Call,
} from '@toolglot/core'
import { hasMarks, isWrittenAsAsked } from '@toolglot/agent/internal'

/** The result of requesting a call from a model. */
export interface ModelTrial {
  /** The protocol that the model was prompted to use. Undefined for function calling. */
  readonly protocol: string | undefined
  /** The reason why the protocol was chosen. */
  readonly by: 'probe' | 'template' | 'name' | 'option' | 'native' | 'guess'
  /** The time to the first chunk and the total time, in milliseconds. */
  readonly first: number
  readonly total: number
  readonly tokens: number
  /** True if `tokens` is an estimate. */
  readonly estimated: boolean
  readonly perSecond: number
  readonly finish: Finish
  /**
   * True if the call was read completely, with the expected arguments, in the requested notation.
   */
  readonly understood: boolean
  /** A problem with the reply despite a readable call: a phrase that follows "understood, but ". */
  readonly but?: string
  readonly repairs: readonly string[]
  /** The text of the reply. */
  readonly reply: string
}

/** Requests a call from a model and checks if it can be read. */
export async function tryModel(
  model: Model,
  { signal, protocol: named }: { signal: AbortSignal; protocol?: Protocol },
): Promise<ModelTrial> {
  const { protocol, parserOptions } = chooseCallFormat(model, named)
  const began = performance.now()
  let first: number | undefined
  let finish: Finish = 'broken'
  let usage: Extract<ModelChunk, { type: 'usage' }>['usage'] | undefined
  let thoughts = ''
  let text = ''
  let name = ''
  let args = ''
  for await (const chunk of model.reply(requestOf(model, protocol, signal))) {
    if (chunk.type === 'usage') usage = chunk.usage
    else if (chunk.type === 'finish') finish = chunk.finish
    else first ??= performance.now()
    if (chunk.type === 'text') text += chunk.delta
    if (chunk.type === 'reasoning') thoughts += chunk.delta
    if (chunk.type === 'call' && chunk.index === 0) {
      name += chunk.name ?? ''
      args += chunk.delta ?? ''
    }
  }
  const ended = performance.now()
  const { calls, text: beside }: Tried = protocol
    ? parse(text, { ...parserOptions, tools: [weather, ...OTHER_TOOLS], finish })
    : { calls: nativeCalls(name, args), text }
  const call = calls.find((each) => each.name === weather.name) ?? calls[0]
  const but = call && callProblem(call, EXPECTED, { text: beside, protocol })
  const counted = usage && !usage.estimated ? usage.output : undefined
  const tokens = counted ?? Math.ceil((text.length + thoughts.length + args.length) / 4)
  const seconds = (ended - (first ?? ended)) / 1000
  return {
    protocol: protocol?.id,
    by: howChosen(model, named),
    first: Math.round((first ?? ended) - began),
    total: Math.round(ended - began),
    tokens,
    estimated: counted === undefined,
    perSecond: seconds > 0 ? Math.round((tokens / seconds) * 10) / 10 : 0,
    finish,
    understood: call !== undefined && but === undefined,
    but,
    repairs: call?.repairs ?? [],
    reply: protocol ? text : `${text}${name && `${name} ${args}`}`,
  }
}

/** The findings in a reply. */
interface Tried {
  readonly calls: readonly TriedCall[]
  /** The text without calls and reasoning. */
  readonly text: string
}

function nativeCalls(name: string, json: string): TriedCall[] {
  if (name === '') return []
  const { parameters } = weather
  const { args, complete, repairs } = parseArguments(json, parameters) ?? NO_ARGUMENTS
  return [{ name, args, protocol: 'native', complete, repairs }]
}

const NO_ARGUMENTS = { args: undefined, complete: false, repairs: [] }

const weather = {
  name: 'get_weather',
  description: 'Returns the weather in a city',
  parameters: {
    type: 'object',
    properties: { city: { type: 'string', description: 'The name of the city' } },
    required: ['city'],
  },
} as const

/**
 * Tools that models call although they were not offered. Calls in other formats can be found only
 * for known tools.
 */
const OTHER_TOOLS = [
  'Bash',
  'Read',
  'WebFetch',
  'WebSearch',
  'get_current_weather',
  'google_search',
  'search',
  'weather',
  'web_search',
].map((name) => ({ name }))

const QUESTION = 'What is the weather in Hanoi now? Call the tool to find out.'

function howChosen(model: Model, named: Protocol | undefined): ModelTrial['by'] {
  if (named) return 'option'
  if (model.probed !== undefined) return 'probe'
  if (model.native) return 'native'
  const { protocol, by } = protocolOf(model)
  return protocol ? by : 'guess'
}

function requestOf(
  { roles = ['system', 'tool'] }: Model,
  protocol: Protocol | undefined,
  signal: AbortSignal,
): Parameters<Model['reply']>[0] {
  const user = (content: string): { role: 'user'; content: string } => ({ role: 'user', content })
  // Leaves space for reasoning.
  const common = { signal, maxTokens: 2048 }
  if (!protocol) return { ...common, messages: [user(QUESTION)], tools: [weather] }
  const prompt = printPrompt(protocol, [weather])
  return {
    ...common,
    messages: roles.includes('system')
      ? [{ role: 'system', content: prompt }, user(QUESTION)]
      : [user(`${prompt}\n\n${QUESTION}`)],
  }
}

const EXPECTED: ExpectedCall = { name: weather.name, args: 'Hanoi', isRight: isCity }

function isCity(args: unknown): boolean {
  const { city } = (args ?? {}) as { city?: unknown }
  return typeof city === 'string' && /h[aà] ?n[oộ]i/i.test(city)
}

/** A call made during the trial, in text or through function calling. */
type TriedCall = Pick<
  Call,
  'name' | 'protocol' | 'complete' | 'repairs' | 'markerless' | 'fenced' | 'otherProtocol'
> & { readonly args: unknown }

/** The requested call. */
export interface ExpectedCall {
  readonly name: string
  /** The arguments in words, for messages, such as `Hanoi`. */
  readonly args: string
  isRight(args: unknown): boolean
}

/**
 * Describes how a call differs from the requested one. `text` is the text without calls and
 * reasoning.
 */
export function callProblem(
  call: TriedCall,
  expected: ExpectedCall,
  { text, protocol }: { readonly text: string; readonly protocol: Protocol | undefined },
): string | undefined {
  if (!call.complete) return `the call of ${call.name} is incomplete`
  if (call.name !== expected.name) return `called ${call.name} instead of ${expected.name}`
  if (!expected.isRight(call.args))
    return `with other arguments than ${expected.args}: ${argumentsOf(call)}`
  if (!protocol || isWrittenAsAsked(call, text, protocol)) return undefined
  const what = hasMarks(protocol) ? 'in' : 'as the whole reply in'
  return `not ${what} the ${protocol.id} format: read-only tools will run, others need approval`
}

function argumentsOf({ args }: TriedCall): string {
  return (JSON.stringify(args) ?? 'none').slice(0, 200)
}
