import {
  checkOptions,
  checkText,
  type EndOptions,
  type ParseOptions,
  type ParserOptions,
} from './options.ts'
import { createEngine, type Parser } from './parser.ts'
import type { Protocol } from './protocol.ts'
import { collectReply, type Event, type Reply } from './reply.ts'
import { type Chunk, readStream, type StreamOptions, streamParser } from './stream.ts'

/** The engine alone, for small bundles. Import only the protocols you need. */

/**
 * Options that require protocols as objects: resolving ids would pull every protocol into the
 * bundle.
 */
export type Named<Options> = Omit<Options, 'protocols'> & {
  readonly protocols: Protocol | readonly Protocol[]
}

/** Creates a parser for these protocols. It reads one reply as it arrives. */
export function createParser(options: Named<ParserOptions>): Parser {
  checkOptions(options, ['protocols'])
  return createEngine(asList(options.protocols), options)
}

/** Reads a whole reply. */
export function parse(text: string, options: Named<ParseOptions>): Reply {
  checkText('the reply', text)
  checkOptions(options, ['protocols'])
  return readAll(createEngine(asList(options.protocols), options), text, options)
}

/** Reads a reply as it streams in. */
export function parseStream(
  chunks: AsyncIterable<Chunk> | Iterable<Chunk>,
  { finish, ...options }: Named<StreamOptions>,
): AsyncIterable<Event> {
  return readStream(streamParser(createParser(options), finish), chunks)
}

/**
 * Returns one or more protocols as a list. A list is returned unchanged, since its compiled grammar
 * is cached by identity.
 */
export function asList(protocols: Protocol | readonly Protocol[]): readonly Protocol[] {
  return Array.isArray(protocols) ? (protocols as readonly Protocol[]) : [protocols as Protocol]
}

/** Feeds a whole reply to a parser. */
export function readAll(parser: Parser, text: string, { finish }: EndOptions): Reply {
  return collectReply([...parser.feed(text), ...parser.end(finish && { finish })])
}
