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
 * A tool may return anything: a whole call, the end of its own result followed by a call, any mark.
 * This law prints such output as a result and reads it as if the model had written it. It must
 * contain no call, and the result must end where printing ended it.
 *
 * There are limits. If a picture draws nothing before the output, no reader can distinguish the
 * output from a reply; then calls without marks are kept out only for known tools, and an unclosed
 * call continues into the output. If a picture draws nothing after the output, the end is unmarked.
 */
export function* resultsStayInert(context: Context): Iterable<Try> {
  const { protocol, examples, texts } = context
  const tools = [...printTools, ...context.tools]
  const options = { protocols: protocol, tools }
  const shells = [
    ...HOW.map((how) =>
      shellOf(protocol, (output) => printResult(protocol, { call: CALL, output, ...how }, options)),
    ),
    // The output without its wrapper: marks must be inert even for a reader that does not recognize
    // the wrapper.
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
    // Each random output is tried in one shell only.
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

/** The text printed around a tool's output, with ways to find its end. */
interface Shell {
  readonly print: (output: string) => string
  readonly head: string
  readonly tail: string
  /** The number of occurrences in a text of each mark that ends a result. */
  readonly endsIn: (text: string) => string
  /**
   * Returns the offset at which the parser ends the result at the start of a text, or undefined if
   * it finds no result.
   */
  readonly endOf: (text: string) => number | undefined
}

function shellOf(protocol: Protocol, print: Shell['print']): Shell {
  const [head = '', tail = ''] = print(HOLE).split(HOLE)
  const words = tail.trim().split(/\s+/)
  const isEscaped = !print('"').includes(`${head}"${tail}`)
  // Not checked: single characters, which any text may contain, and ends of escaped text, which
  // cannot contain them.
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

/**
 * Options for reading with the protocol alone, with and without tools, and together with all other
 * protocols.
 */
function waysOf(protocols: Protocol, { tools }: Required<Pick<Context, 'tools'>>): ParserOptions[] {
  const others = readProtocols.filter(({ id }) => id !== protocols.id)
  const any = { protocols: [protocols, ...others], auto: true }
  return [{ protocols }, { protocols, tools }, { ...any, tools }]
}

/**
 * The problem if a call is read inside a result, alone or after a real call, or if the result
 * changes that call.
 */
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

/**
 * The problem if a result ends early: its closing mark must occur once, with no output after it.
 */
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
