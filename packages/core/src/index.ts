import { asList, readAll, readStream } from './engine.ts'
import { type Explanation, explainEach } from './explain.ts'
import {
  checkOptions,
  checkText,
  type ParseOptions,
  type ParserOptions,
  plainTools,
} from './options.ts'
import { createEngine, type Parser } from './parser.ts'
import { guardOf, printResultsAgainst, type Result } from './print/result.ts'
import { print } from './print/print.ts'
import type { Protocol, Tool, WrappedTool } from './protocol.ts'
import { everyProtocol } from './registry.ts'
import type { Call, Event, Reply } from './reply.ts'
import { type ParserTransformer, transformerOf } from './stream.ts'

export type { Explanation } from './explain.ts'
export type { EndOptions, ParseOptions, ParserOptions } from './options.ts'
export type { Parser } from './parser.ts'
export { duplicateKeyIn } from './json/duplicate-key.ts'
export { printCall, printCalls } from './print/print.ts'
export { type ProtocolFor, protocolFor } from './protocol-for.ts'
export type { Result } from './print/result.ts'
export type {
  Example,
  Examples,
  PrintableCall,
  Protocol,
  Schema,
  Tool,
  WrappedTool,
} from './protocol.ts'
export { protocols, readProtocols } from './registry.ts'
export { collect } from './reply.ts'
export type { Call, Event, Finish, Malformed, Problem, Reply, Segment, Span } from './reply.ts'
export type { Wire } from './wire.ts'

/** A parser that reads one reply as it arrives. Without protocols named, it reads all of them at once. */
export function createParser(options: ParserOptions = {}): Parser {
  checkOptions(options)
  const { protocols, auto = protocols === undefined } = options
  return createEngine(protocols ? asList(protocols) : everyProtocol, { ...options, auto })
}

/** Read a whole reply. */
export function parse(text: string, options: ParseOptions = {}): Reply {
  checkText('the reply', text)
  return readAll(createParser(options), text, options)
}

/** Read a reply as it streams in. */
export function parseStream(
  chunks: AsyncIterable<string> | Iterable<string>,
  options: ParseOptions = {},
): AsyncIterable<Event> {
  return readStream(createParser(options), chunks, options)
}

/** For `new TransformStream(parserTransformer())`: text in, events out. */
export function parserTransformer(options: ParserOptions = {}): ParserTransformer {
  return transformerOf(createParser(options))
}

/** The calls in a reply, whatever the protocol. */
export function autoParseToolCalls(text: string, tools?: ParserOptions['tools']): readonly Call[] {
  return parse(text, tools && { tools }).calls
}

/** A reply as a person should see it: without calls, marks and reasoning. */
export function stripToolCalls(text: string, tools?: ParserOptions['tools']): string {
  return parse(text, tools && { tools }).text.trim()
}

/** Why a call was not understood: for each protocol, how far it read and where it stopped. */
export function explain(text: string, options: ParserOptions = {}): Explanation[] {
  checkText('the reply', text)
  checkOptions(options)
  const { protocols = everyProtocol } = options
  return explainEach(asList(protocols), text, options)
}

/** What tells the model of its tools and of how to call them. */
export function printPrompt(protocol: Protocol, tools: readonly (Tool | WrappedTool)[]): string {
  checkOptions({ protocols: protocol, tools }, ['protocols', 'tools'])
  return protocol.prompt({ tools: plainTools(tools), example: exampleOf(protocol) })
}

/** What a result must be inert against: the tools there are, where some protocol tells a call by a tool's name alone. */
export type ResultOptions = Pick<ParserOptions, 'tools'>

/** A tool's result as the model is told of it, with every protocol's marks in it made inert. */
export function printResult(
  protocol: Protocol,
  result: Result,
  options: ResultOptions = {},
): string {
  return printResults(protocol, [result], options)
}

/** All results of a turn, in the order of their calls. */
export function printResults(
  protocol: Protocol,
  results: readonly Result[],
  options: ResultOptions = {},
): string {
  checkOptions({ protocols: protocol, ...options }, ['protocols'])
  for (const result of results) checkText('result.call.name', result?.call?.name)
  return printResultsAgainst(everyProtocol, protocol, results, told(options))
}

/** Untrusted text with every protocol's marks and every chat template's tokens in it made inert, as `printResult` does. */
export function neutralise(text: string, options: ResultOptions = {}): string {
  checkText('the text', text)
  checkOptions(options)
  return guardOf(everyProtocol, told(options)).neutralise(text)
}

/**
 * Undo what `printResult` did, given the same tools. For what the model copies out of a result: apply it to every string
 * in a call's arguments before the tool runs, and to nothing that is shown to the model again.
 */
export function restore(text: string, options: ResultOptions = {}): string {
  checkText('the text', text)
  checkOptions(options)
  return guardOf(everyProtocol, told(options)).restore(text)
}

function told({ tools }: ResultOptions): readonly Tool[] | undefined {
  return tools && plainTools(tools)
}

function exampleOf({ call, section }: Protocol): string {
  const example = { name: 'tool_name', args: { argument: 'value' } }
  const printed = print(call, example)
  return section ? print(section, example, { calls: printed }) : printed
}
