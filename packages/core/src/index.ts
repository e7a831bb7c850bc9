import { asList, readAll } from './engine.ts'
import { type Explanation, explainEach } from './explain.ts'
import { createFallbackParser } from './fallback/fallback.ts'
import {
  checkOptions,
  checkText,
  type ParseOptions,
  type ParserOptions,
  plainTools,
} from './options.ts'
import { createEngine, type Parser } from './parser.ts'
import { guardOf } from './print/guard.ts'
import { JOINER, type Neutralizer } from './print/neutralize.ts'
import { print, printCalls as printAll } from './print/print.ts'
import { printGuarded, type Result } from './print/result.ts'
import { restoreEvents, mapTexts, type Restorer, restorer } from './print/restorer.ts'
import { boundedTool } from './prompt/bounded.ts'
import { promptOf } from './prompts.ts'
import { protocolsOf, resolveProtocol } from './resolve-protocol.ts'
import type { PrintableCall, Protocol, ToolDefinition, WrappedTool } from './protocol.ts'
import { everyProtocol, type ProtocolId } from './registry.ts'
import type { Call, Event, Reply } from './reply.ts'
import {
  type Chunk,
  type ParserTransformer,
  readStream,
  type StreamOptions,
  streamParser,
  transformerOf,
} from './stream.ts'

export type { Explanation } from './explain.ts'
export type { EndOptions, ParseOptions, ParserOptions } from './options.ts'
export {
  type ParseArgumentsOptions,
  type ParsedArguments,
  parseArguments,
} from './parse-arguments.ts'
export type { Parser } from './parser.ts'
export { familyOf } from './families.ts'
export { duplicateKeyIn } from './json/text.ts'
export { type ProtocolFor, protocolFor } from './protocol-for.ts'
export type { Restorer } from './print/restorer.ts'
export type { Result } from './print/result.ts'
export type {
  Example,
  Examples,
  Family,
  PrintableCall,
  Protocol,
  Schema,
  ToolDefinition,
  WrappedTool,
} from './protocol.ts'
export { type ProtocolId, protocols, readProtocols } from './registry.ts'
export { resolveProtocol } from './resolve-protocol.ts'
export { collectReply } from './reply.ts'
export type {
  Call,
  Event,
  Finish,
  Malformed,
  Problem,
  RepairDetail,
  Reply,
  Segment,
  Span,
} from './reply.ts'
export type { Chunk, ParserTransformer, StreamFinish, StreamOptions } from './stream.ts'
export { wholeCalls } from './whole-calls.ts'
export type { Wire } from './wire.ts'

/**
 * Creates a parser, which reads one reply as it arrives. Without `protocols`, it reads all
 * protocols simultaneously. If tools are given and the reply has no call in a selected protocol,
 * calls of these tools in another protocol, or in none, are found too; these calls have
 * `otherProtocol`.
 */
export function createParser(options: ParserOptions = {}): Parser {
  const protocols = protocolsIn(options)
  const { auto = protocols === undefined, tools } = options
  const create = tools && tools.length > 0 ? createFallbackParser : createEngine
  return create(protocols ?? everyProtocol, { ...options, auto })
}

/** Reads a whole reply. */
export function parse(text: string, options: ParseOptions = {}): Reply {
  checkText('the reply', text)
  return readAll(createParser(options), text, options)
}

/**
 * Reads a reply as it streams in. Pass how it ended in the option `finish` or in a last chunk `{
 * finish: 'length' }`. If the stream throws, the parser reports the text so far as broken and
 * rethrows the error.
 */
export function parseStream(
  chunks: AsyncIterable<Chunk> | Iterable<Chunk>,
  { finish, ...options }: StreamOptions = {},
): AsyncIterable<Event> {
  return readStream(streamParser(createParser(options), finish), chunks)
}

/**
 * For `new TransformStream(parserTransformer())`: text in, events out. `finish` works as in
 * `parseStream`.
 */
export function parserTransformer({ finish, ...options }: StreamOptions = {}): ParserTransformer {
  return transformerOf(streamParser(createParser(options), finish))
}

/** The calls in a reply in any protocol. */
export function autoParseToolCalls(text: string, tools?: ParserOptions['tools']): readonly Call[] {
  return parse(text, tools && { tools }).calls
}

/** The part of a reply to show to users: no calls, marks or reasoning. */
export function stripToolCalls(text: string, tools?: ParserOptions['tools']): string {
  return parse(text, tools && { tools }).text.trim()
}

/**
 * Explains why a call was not understood: how far each protocol parsed it, and where parsing
 * stopped.
 */
export function explain(text: string, options: ParserOptions = {}): Explanation[] {
  checkText('the reply', text)
  return explainEach(protocolsIn(options) ?? everyProtocol, text, options)
}

/** The part of a system prompt that describes the tools and how to call them. */
export function printPrompt(
  protocol: Protocol | ProtocolId,
  tools: readonly (ToolDefinition | WrappedTool)[],
): string {
  const chosen = resolveProtocol(protocol)
  checkOptions({ protocols: chosen, tools }, ['protocols', 'tools'])
  const prompt = promptOf(chosen)
  if (!prompt) throw new TypeError(`The protocol ${JSON.stringify(chosen.id)} has no prompt.`)
  return prompt({ tools: plainTools(tools).map(boundedTool), example: exampleOf(chosen) })
}

/** A call as the model would write it, for history and examples. */
export function printCall(protocol: Protocol | ProtocolId, call: PrintableCall): string {
  return printCalls(protocol, [call])
}

/** The calls of one turn as the model would write them. */
export function printCalls(
  protocol: Protocol | ProtocolId,
  calls: readonly PrintableCall[],
): string {
  return printAll(checkedProtocol(protocol), calls)
}

/**
 * Marks to neutralize in addition to the built-in protocols': the marks of your own protocols, and
 * the names of tools, since some protocols recognize a call by a tool's name alone.
 */
export type ResultOptions = Pick<ParserOptions, 'protocols' | 'tools'>

/** A tool's result as shown to the model. The marks of every protocol in it are made inert. */
export function printResult(
  protocol: Protocol | ProtocolId,
  result: Result,
  options: ResultOptions = {},
): string {
  return printResults(protocol, [result], options)
}

/** All results of a turn, in the order of their calls. */
export function printResults(
  protocol: Protocol | ProtocolId,
  results: readonly Result[],
  options: ResultOptions = {},
): string {
  const chosen = checkedProtocol(protocol)
  for (const result of results) checkText('result.call.name', result?.call?.name)
  return printGuarded(chosen, results, guardFor(options, chosen))
}

/**
 * Makes the marks of every protocol and the tokens of every chat template in untrusted text inert,
 * as `printResult` does.
 */
export function neutralize(text: string, options: ResultOptions = {}): string {
  checkText('the text', text)
  return guardFor(options).neutralize(text)
}

/**
 * Undoes `printResult`. Pass the same tools and, if it printed in your own protocol, that protocol.
 * Use it for text that the model copies out of a result, never for text that is shown to the model
 * again. `restoreArguments` applies it to a call's arguments.
 */
export function restore(text: string, options: ResultOptions = {}): string {
  checkText('the text', text)
  return guardFor(options).restore(text)
}

/**
 * Creates a restorer for text that arrives in pieces. The pieces may be split anywhere: together,
 * the output equals `restore` of the whole text.
 */
export function createRestorer(options: ResultOptions = {}): Restorer {
  return restorer(guardFor(options).markAt)
}

/**
 * Restores every string in a call's arguments, including keys. Keys that would collide are left
 * unchanged.
 */
export function restoreArguments(
  args: Readonly<Record<string, unknown>>,
  options: ResultOptions = {},
): Record<string, unknown> {
  const change = (text: string): string => (text.includes(JOINER) ? restore(text, options) : text)
  return mapTexts(args, change) as Record<string, unknown>
}

/**
 * Restores the arguments in a parser's events, both in deltas and at the end of a call. Other
 * events pass through unchanged.
 */
export function restoreCalls<Other extends { readonly type: string } = never>(
  events: AsyncIterable<Event | Other> | Iterable<Event | Other>,
  options: ResultOptions = {},
): AsyncIterable<Event | Other> {
  return restoreEvents(events, guardFor(options))
}

function guardFor(options: ResultOptions, ...printed: Protocol[]): Neutralizer {
  const own = protocolsIn(options) ?? []
  return guardOf([...printed, ...own], options.tools && plainTools(options.tools))
}

function checkedProtocol(given: Protocol | ProtocolId): Protocol {
  const protocol = resolveProtocol(given)
  checkOptions({ protocols: protocol }, ['protocols'])
  return protocol
}

/** The protocols in these options, after the options are checked. */
function protocolsIn(options: ParserOptions): readonly Protocol[] | undefined {
  const given = options?.protocols
  if (given === undefined) {
    checkOptions(options)
    return undefined
  }
  const protocols = protocolsOf(given)
  checkOptions({ ...options, protocols })
  return asList(protocols)
}

function exampleOf({ call, section }: Protocol): string {
  const example = { name: 'tool_name', args: { argument: 'value' } }
  const printed = print(call, example)
  return section ? print(section, example, { calls: printed }) : printed
}
