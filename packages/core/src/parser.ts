import {
  checkOptions,
  checkText,
  type EndOptions,
  type ParserOptions,
  plainTools,
} from './options.ts'
import type { Protocol } from './protocol.ts'
import type { Event } from './reply.ts'
import { grammarOf } from './read/grammar.ts'
import { Input, type Reader, type Step } from './read/input.ts'
import { type Message, readMessage } from './read/message.ts'
import { namesOf } from './read/names.ts'
import { Output } from './read/output.ts'

/** Reads one reply as it arrives. No model text makes it throw. */
export interface Parser {
  /** Reads more of the reply and returns the resulting events. */
  feed(chunk: string): Event[]
  /** Ends the reply and returns the remaining events. */
  end(options?: EndOptions): Event[]
}

/** The default maximum length of a call, in characters: a longer one is malformed. */
const MAX_CALL_LENGTH = 4 << 20

/** Options, plus those that only this package uses. */
export type EngineOptions = ParserOptions &
  Partial<Pick<Message, 'auto' | 'onFailure' | 'onOpening' | 'watch'>>

/**
 * Creates a parser for one or several protocols. Each call shows which protocol it was written in.
 */
export function createEngine(protocols: readonly Protocol[], options: EngineOptions): Parser {
  const { prefix = '' } = options
  const message = createMessage(protocols, options, -prefix.length)
  const parser = readWith(message, readMessage(message))
  parser.feed(prefix)
  // Text in the prompt is not part of the reply.
  message.output.blank = true
  message.lineBlank = true
  return parser
}

/** The state of a reader at the start of a reply or at another place in it. */
export function createMessage(
  protocols: readonly Protocol[],
  options: EngineOptions,
  place: number,
): Message {
  const { auto = false } = options
  const tools = options.tools && plainTools(options.tools)
  const names = tools && namesOf(tools)
  return {
    input: new Input(place),
    output: new Output(),
    // Without known names, a bare word is never read as a tool's name.
    grammar: grammarOf(protocols, names ?? (auto ? namesOf([]) : undefined)),
    tools: tools && new Map(tools.map((tool) => [tool.name, tool])),
    names,
    repairs: options.repairs ?? true,
    auto,
    maxCallLength: options.maxCallLength ?? MAX_CALL_LENGTH,
    makeId: options.makeId ?? randomId,
    startsInReasoning: options.startsInReasoning ?? false,
    turn: { finish: 'stop' },
    facts: {},
    wanted: { repairs: false },
    budgets: new Map(),
    arguments: new Map(),
    rivals: false,
    failure: undefined,
    onFailure: options.onFailure,
    onOpening: options.onOpening,
    recorder: options.details?.(),
    watch: options.watch,
    nested: 0,
    lineBlank: true,
    suspect: { value: false },
    quoted: false,
    fence: undefined,
  }
}

/** Wraps a reader in a parser that feeds it. */
export function readWith({ input, output, turn }: Message, reader: Reader<void>): Parser {
  let step: Step | undefined
  let over = false
  const advance = (): Event[] => {
    if (!step || step()) step = reader.next().value ?? undefined
    return output.take()
  }
  return {
    feed(chunk) {
      checkText('the chunk', chunk)
      if (over) throw new TypeError('feed() after end(): a parser reads one reply.')
      input.append(chunk)
      return advance()
    },
    end(ending) {
      checkOptions(ending)
      if (over) return []
      over = true
      const finish = ending?.finish ?? 'stop'
      turn.finish = finish
      input.finish()
      const events = advance()
      output.end(input.place, finish)
      return [...events, ...output.take()]
    },
  }
}

/** A random id of nine letters and digits, the form that the strictest protocol requires. */
function randomId(): string {
  let id = ''
  while (id.length < 9) id += Math.floor(Math.random() * 36).toString(36)
  return id
}
