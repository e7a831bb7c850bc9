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

/** The result of asking a model for one call. */
export interface ModelTrial {
  /** The protocol it was asked to write; undefined: its own function calling. */
  readonly protocol: string | undefined
  /** How the protocol was chosen. */
  readonly by: 'probe' | 'template' | 'name' | 'option' | 'native' | 'guess'
  /** Time to the first chunk and to the end, in milliseconds. */
  readonly first: number
  readonly total: number
  readonly tokens: number
  /** `tokens` is an estimate. */
  readonly estimated: boolean
  readonly perSecond: number
  readonly finish: Finish
  /** The call was read, complete, with the expected arguments, as the model was asked to write it. */
  readonly understood: boolean
  /** The other findings, if that call was not read: a phrase that follows "understood, but ". */
  readonly but?: string
  readonly repairs: readonly string[]
  /** The text it wrote. */
  readonly reply: string
}

/** Asks a model for one call and checks whether it can be read. */
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
  /** The text besides calls and reasoning. */
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

/** Tools that models call although nobody offered them: a call in another format is found for known tools only. */
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
  // Reasoning needs room.
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

/** A call that a model made when it was tried, in text or by function calling. */
type TriedCall = Pick<
  Call,
  'name' | 'protocol' | 'complete' | 'repairs' | 'markerless' | 'fenced' | 'otherProtocol'
> & { readonly args: unknown }

/** The call that a model was asked for. */
export interface ExpectedCall {
  readonly name: string
  /** The arguments in words, for messages: `Hanoi`. */
  readonly args: string
  isRight(args: unknown): boolean
}

/** In which way a call is not the one that was asked for. `text` is the text besides calls and reasoning. */
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
