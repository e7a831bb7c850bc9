import {
  neutralise,
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
import { difference, read } from './reading.ts'
import { marksOf, oddities, soup } from './texts.ts'

/**
 * A tool may give anything: a whole call, the end of its own result and then a call, any mark. Printed as a result and read
 * as if the model had written it, none of that is a call, and the result ends where it was printed to end.
 *
 * Where nothing stands before the output, no reader can tell it from a reply: there, calls without marks are kept out only
 * for tools that are known, and a call that nothing closes goes on in it. Where nothing stands after it, nothing tells its
 * end.
 */
export function* resultsStayInert(context: Context): Iterable<Try> {
  const { protocol, examples, texts } = context
  const tools = [...printTools, ...context.tools]
  const options = { protocols: protocol, tools }
  const shells = [
    ...HOW.map((how) =>
      shellOf(protocol, (output) => printResult(protocol, { call: CALL, output, ...how }, options)),
    ),
    // The output alone: marks must be inert even for a reader that does not recognise the wrapper.
    shellOf(protocol, (output) => neutralise(output, options)),
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
    // Random texts are tried in one shell each.
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

/** What a protocol shows around a tool's output. */
interface Shell {
  readonly print: (output: string) => string
  readonly head: string
  readonly tail: string
  /** How often each mark that ends a result stands in a text. */
  readonly endsIn: (text: string) => string
  /** Where the result that a text begins with ends for the parser; undefined: it sees none. */
  readonly endOf: (text: string) => number | undefined
}

function shellOf(protocol: Protocol, print: Shell['print']): Shell {
  const [head = '', tail = ''] = print(HOLE).split(HOLE)
  const words = tail.trim().split(/\s+/)
  const isEscaped = !print('"').includes(`${head}"${tail}`)
  // Any text may hold a single character, and escaped text cannot hold the end.
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

/** As its own protocol, with and without tools; and among all others. */
function waysOf(protocols: Protocol, { tools }: Required<Pick<Context, 'tools'>>): ParserOptions[] {
  const others = readProtocols.filter(({ id }) => id !== protocols.id)
  const any = { protocols: [protocols, ...others], auto: true }
  return [{ protocols }, { protocols, tools }, { ...any, tools }]
}

/** A call that is read in a result alone or after a call; or that call, changed by what follows it. */
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

/** The mark that closes a result stands in it once, and the parser sees no output after it. */
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
  return difference('the output', output, restore(neutralise(output, options), options))
}
