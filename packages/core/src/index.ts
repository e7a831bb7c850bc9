import { asList, readAll } from './engine.ts'
import { type Explanation, explainEach } from './explain.ts'
import {
  checkOptions,
  checkText,
  type ParseOptions,
  type ParserOptions,
  plainTools,
} from './options.ts'
import { createEngine, type Parser } from './parser.ts'
import { guardOf } from './print/guard.ts'
import type { Neutraliser } from './print/neutralise.ts'
import { print } from './print/print.ts'
import { printGuarded, type Result } from './print/result.ts'
import type { Protocol, ToolDefinition, WrappedTool } from './protocol.ts'
import { everyProtocol } from './registry.ts'
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
  ToolDefinition,
  WrappedTool,
} from './protocol.ts'
export { protocols, readProtocols } from './registry.ts'
export { collectReply } from './reply.ts'
export type { Call, Event, Finish, Malformed, Problem, Reply, Segment, Span } from './reply.ts'
export type { Chunk, ParserTransformer, StreamFinish, StreamOptions } from './stream.ts'
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

/**
 * Read a reply as it streams in. Say how it ended: as `finish`, or in a last chunk `{ finish: 'length' }`. Where the stream
 * throws, what came is told as broken off before the error is thrown on.
 */
export function parseStream(
  chunks: AsyncIterable<Chunk> | Iterable<Chunk>,
  { finish, ...options }: StreamOptions = {},
): AsyncIterable<Event> {
  return readStream(streamParser(createParser(options), finish), chunks)
}

/** For `new TransformStream(parserTransformer())`: text in, events out. Say how it ended as for `parseStream`. */
export function parserTransformer({ finish, ...options }: StreamOptions = {}): ParserTransformer {
  return transformerOf(streamParser(createParser(options), finish))
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
export function printPrompt(
  protocol: Protocol,
  tools: readonly (ToolDefinition | WrappedTool)[],
): string {
  checkOptions({ protocols: protocol, tools }, ['protocols', 'tools'])
  return protocol.prompt({ tools: plainTools(tools), example: exampleOf(protocol) })
}

/**
 * What text must be inert against, beside every protocol that comes with this package: protocols of your own that replies
 * are read with, and the tools, where some protocol tells a call by a tool's name alone.
 */
export type ResultOptions = Pick<ParserOptions, 'protocols' | 'tools'>

/** A tool's result as the model is shown it. Marks in it are made inert: those of every protocol, and of this one. */
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
  checkOptions({ protocols: protocol }, ['protocols'])
  for (const result of results) checkText('result.call.name', result?.call?.name)
  return printGuarded(protocol, results, guardFor(options, protocol))
}

/** Untrusted text with every protocol's marks and every chat template's tokens in it made inert, as `printResult` does. */
export function neutralise(text: string, options: ResultOptions = {}): string {
  checkText('the text', text)
  return guardFor(options).neutralise(text)
}

/**
 * Undo what `printResult` did, given the same tools and, where it was printed for a protocol of your own, that protocol. For
 * what the model copies out of a result: apply it to every string in a call's arguments before the tool runs, and to
 * nothing that is shown to the model again.
 */
export function restore(text: string, options: ResultOptions = {}): string {
  checkText('the text', text)
  return guardFor(options).restore(text)
}

function guardFor(options: ResultOptions, ...printed: Protocol[]): Neutraliser {
  checkOptions(options)
  const { protocols = [], tools } = options
  return guardOf([...printed, ...asList(protocols)], tools && plainTools(tools))
}

function exampleOf({ call, section }: Protocol): string {
  const example = { name: 'tool_name', args: { argument: 'value' } }
  const printed = print(call, example)
  return section ? print(section, example, { calls: printed }) : printed
}
