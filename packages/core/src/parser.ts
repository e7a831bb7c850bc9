import {
  checkOptions,
  checkText,
  type EndOptions,
  type ParserOptions,
  plainTools,
} from './options.ts'
import type { Protocol } from './protocol.ts'
import type { Event, Finish } from './reply.ts'
import { grammarOf } from './read/grammar.ts'
import { Input, type Reader, type Step } from './read/input.ts'
import { type Message, readMessage } from './read/message.ts'
import { namesOf } from './read/names.ts'
import { Output } from './read/output.ts'

/** Reads one reply as it arrives. Model text never makes it throw. */
export interface Parser {
  /** Reads more of the reply. Returns the events that follow from it. */
  feed(chunk: string): Event[]
  /** Ends the reply. Returns the remaining events. */
  end(options?: EndOptions): Event[]
}

/** The default maximum length of a call, in characters: a longer one is malformed. */
const MAX_CALL_LENGTH = 4 << 20

/** Creates a parser for one or several protocols, which it distinguishes by what the model writes. */
export function createEngine(
  protocols: readonly Protocol[],
  options: ParserOptions & Partial<Pick<Message, 'auto' | 'onTrouble' | 'onOpening' | 'onAnswer'>>,
  read: (message: Message) => Reader<void> = readMessage,
): Parser {
  const { prefix = '', auto = false } = options
  const tools = options.tools && plainTools(options.tools)
  const names = tools && namesOf(tools)
  const input = new Input(-prefix.length)
  const output = new Output()
  const message: Message = {
    input,
    output,
    // If nothing is known, no bare word is taken for a tool's name.
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
    spent: new Map(),
    rivals: false,
    trouble: undefined,
    onTrouble: options.onTrouble,
    onOpening: options.onOpening,
    onAnswer: options.onAnswer,
    nested: 0,
    lineBlank: true,
    suspect: { value: false },
    quoted: false,
    fence: undefined,
  }
  const reader = read(message)
  let step: Step | undefined
  let over = false

  const advance = (): Event[] => {
    if (!step || step()) step = reader.next().value ?? undefined
    return output.take()
  }
  if (prefix !== '') {
    input.append(prefix)
    advance()
    // What the prompt contains is not text of the reply.
    output.blank = true
    message.lineBlank = true
  }
  return {
    feed(chunk) {
      checkText('the chunk', chunk)
      if (over) throw new TypeError('feed() was called after end(): a parser reads only one reply.')
      input.append(chunk)
      return advance()
    },
    end(ending) {
      checkOptions(ending)
      if (over) return []
      over = true
      const finish: Finish = ending?.finish ?? 'stop'
      message.turn.finish = finish
      input.finish()
      const events = advance()
      output.end(input.place, finish)
      return [...events, ...output.take()]
    },
  }
}

/** Nine letters and digits: the strictest protocol requires ids of that form. */
function randomId(): string {
  let id = ''
  while (id.length < 9) id += Math.random().toString(36).slice(2)
  return id.slice(0, 9)
}
