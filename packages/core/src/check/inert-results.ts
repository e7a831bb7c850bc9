import {
  neutralize,
  type ParserOptions,
  printCalls,
  printResult,
  restore,
  type ResultOptions,
} from '../index.ts'
import type { Protocol } from '../protocol.ts'
import { readProtocols } from '../registry.ts'
import type { Context, Try } from './laws.ts'
import { printTools } from './print-tools.ts'
import { difference, read, marksOf, oddities, soup } from './reading.ts'

/**
 * A tool may return anything: a whole call, the end of its own result followed by a call, any mark. Printed as a result and
 * then read as if the model had written it, none of that is a call, and the result ends where printing ended it.
 *
 * If a picture draws nothing before the output, no reader can distinguish it from a reply: then calls without marks are kept
 * out only for known tools, and a call that is not closed continues into it. If it draws nothing after the output, nothing
 * shows where that ends.
 */
export function* resultsStayInert(context: Context): Iterable<Try> {
  const { protocol, examples, texts } = context
  const tools = [...printTools, ...context.tools]
  const options = { protocols: protocol, tools }
  const shells = [
    ...HOW.map((how) =>
      shellOf(protocol, (output) => printResult(protocol, { call: CALL, output, ...how }, options)),
    ),
    // The output without its wrapper: marks must be inert even for a reader that does not recognize the wrapper.
    shellOf(protocol, (output) => neutralize(output, options)),
  ]
  const calls = [
    printCalls(protocol, [{ name: 'ping', args: {} }]),
    printCalls(protocol, [{ name: 'write_file', args: { path: 'a', content: 'b' } }]),
    printCalls(protocol, [{ name: 'unknown', args: { a: 1 } }]),
    ...examples.map(([, { wire }]) => wire),
  ]
  const marks = marksOf(protocol)
  const ends = shells.map(({ tail }) => tail)
  const outputs = [
    ...calls,
    ...ends.flatMap((end) => calls.map((call) => `x${end}\n${call}`)),
    ...marks,
    ...soup([...marks, ...marks, ...calls, ...ends, ...oddities, JOINER], texts),
  ]
  const ways = waysOf(protocol, options)
  for (const [number, output] of outputs.entries()) {
    yield { on: output, problem: notRestored(output, options) }
    // Each random text is tried in one shell only.
    const tried = number < outputs.length - texts ? shells : [shells[number % shells.length]!]
    for (const shell of tried) {
      const text = shell.print(output)
      const problem = callIn(text, shell, ways, calls[0]!) ?? earlyEnd(text, shell)
      yield { on: output, problem: problem && `${problem} in ${JSON.stringify(text)}` }
    }
  }
}

const HOW = [{}, { failed: true }, { invalid: true }] as const
const CALL = { name: 'ping', id: 'a1B2c3D4e' }
const JOINER = '\u2060'

/** The text that a protocol prints around a tool's output. */
interface Shell {
  readonly print: (output: string) => string
  readonly head: string
  readonly tail: string
  /** How often each mark that ends a result occurs in a text. */
  readonly endsIn: (text: string) => string
  /** Where the parser sees the end of the result that a text begins with. Undefined: it sees no result. */
  readonly endOf: (text: string) => number | undefined
}

function shellOf(protocol: Protocol, print: Shell['print']): Shell {
  const [head = '', tail = ''] = print(HOLE).split(HOLE)
  const words = tail.trim().split(/\s+/)
  const isEscaped = !print('"').includes(`${head}"${tail}`)
  // Any text may contain a single character, and escaped text cannot contain the end.
  const ends = isEscaped ? [] : [words[0]!, words.at(-1)!].filter((word) => word.length > 1)
  const fold = (text: string): string => (protocol.anyCase ? text.toLowerCase() : text)
  return {
    print,
    head,
    tail,
    endsIn: (text) => ends.map((end) => fold(text).split(fold(end)).length).join(),
    endOf: (text) => {
      const [first] = read([text], { protocols: protocol }).reply.segments
      return first?.type === 'result' ? first.span[1] : undefined
    },
  }
}

const HOLE = '\ue000'

/** By its own protocol alone, with and without tools, and among all other protocols. */
function waysOf(protocols: Protocol, { tools }: Required<Pick<Context, 'tools'>>): ParserOptions[] {
  const others = readProtocols.filter(({ id }) => id !== protocols.id)
  const any = { protocols: [protocols, ...others], auto: true }
  return [{ protocols }, { protocols, tools }, { ...any, tools }]
}

/** A call that is read out of a result, alone or after a call; or that first call, if the result changes it. */
function callIn(
  text: string,
  { head }: Shell,
  ways: readonly ParserOptions[],
  call: string,
): string | undefined {
  for (const way of ways) {
    const countsBare = way.tools !== undefined || head !== ''
    for (const before of ['', `${call}\n`]) {
      const found = read([before + text], way).reply.calls.filter(
        ({ span, args, markerless }) =>
          (span[0] >= before.length || (head !== '' && Object.keys(args).length > 0)) &&
          (countsBare || !markerless),
      )
      if (found.length > 0) return `a call of ${found[0]!.name} is read`
    }
  }
  return undefined
}

/** The mark that closes a result must occur once, and the parser must see no output after it. */
function earlyEnd(text: string, { print, tail, endsIn, endOf }: Shell): string | undefined {
  const plain = print('x')
  if (endsIn(text) !== endsIn(plain)) return 'the result ends early'
  if (tail === '' || endOf(plain) !== plain.length) return undefined
  const left = text.length - tail.length - (endOf(text) ?? 0)
  return left > 0
    ? `the result ends ${left} characters early: draw a longer mark that closes it`
    : undefined
}

function notRestored(output: string, options: ResultOptions): string | undefined {
  return difference('the output', output, restore(neutralize(output, options), options))
}
