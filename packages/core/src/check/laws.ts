import { type ParserOptions, printCalls, printPrompt, type Reply } from '../index.ts'
import { promptOf } from '../prompts.ts'
import type { Example, PrintableCall, Protocol, ToolDefinition } from '../protocol.ts'
import { readProtocols } from '../registry.ts'
import { resultsStayInert } from './inert-results.ts'
import { printTools } from './print-tools.ts'
import {
  completeCalls,
  difference,
  loss,
  read,
  unsound,
  marksOf,
  oddities,
  soup,
  values,
} from './reading.ts'

/** A protocol and the inputs to test it on. */
export interface Context {
  readonly protocol: Protocol
  readonly tools: readonly ToolDefinition[]
  readonly examples: readonly (readonly [title: string, example: Example])[]
  /** The number of random inputs to try, built from the protocol's marks. */
  readonly texts: number
}

/** One test of a law. */
export interface Try {
  readonly on: string
  /** The way in which the text breaks the law, or undefined if it does not. */
  readonly problem: string | undefined
}

/** A property of every protocol, with its test. */
export interface Law {
  readonly law: string
  readonly advice?: true
  readonly tries: (context: Context) => Iterable<Try>
}

/** Every law, in the order in which they are reported. */
export const laws: readonly Law[] = [
  { law: 'its examples are read as stated', tries: examplesAreRead },
  { law: 'they are read the same way among all other protocols', tries: examplesAmongOthers },
  { law: 'any chunking gives the same reply', tries: anyChunking },
  { law: 'nothing is lost', tries: nothingLost },
  { law: 'a cut invents nothing', tries: cutsInventNothing },
  { law: 'what is printed is read back', tries: printedIsRead },
  { law: 'an example is what printing writes, or a variant', tries: examplesArePrinted },
  { law: 'its prompt names the tools', tries: promptNamesTools },
  { law: 'four times the text takes four times the work', tries: linear },
  { law: 'a result contains no call, ends once, and can be restored', tries: resultsStayInert },
  { law: 'a value may contain its marks', advice: true, tries: marksInValues },
]

function optionsOf({ protocol, tools }: Context): ParserOptions {
  return { protocols: protocol, tools }
}

function* examplesAreRead(context: Context): Iterable<Try> {
  if (context.examples.length === 0) yield { on: '', problem: 'it has no examples' }
  for (const [on, example] of context.examples) {
    const { reply, ...reading } = read([example.wire], optionsOf(context))
    yield {
      on,
      problem:
        difference('calls', example.calls ?? [], completeCalls({ reply, ...reading })) ??
        difference('the text', example.text ?? '', reply.text) ??
        difference('the reasoning', example.reasoning ?? '', reply.reasoning) ??
        difference('malformed', example.malformed ?? [], malformed(reply)) ??
        difference('repairs', example.repairs ?? [], repairs(reply)),
    }
  }
}

function malformed({ segments }: Reply): string[] {
  return segments.flatMap((part) => (part.type === 'malformed' ? [part.problem] : []))
}

function repairs({ calls }: Reply): string[] {
  return [...new Set(calls.flatMap((call) => call.repairs))]
}

function* examplesAmongOthers({ protocol, tools, examples }: Context): Iterable<Try> {
  if (protocol.dialect) return
  const others = readProtocols.filter(({ id }) => id !== protocol.id)
  const all = { protocols: [protocol, ...others], auto: true, tools }
  for (const [on, { wire }] of examples) {
    const [alone, among] = [read([wire], { protocols: protocol, tools }), read([wire], all)]
    yield {
      on,
      problem:
        difference('calls', completeCalls(alone), completeCalls(among)) ??
        difference('the text', alone.reply.text, among.reply.text),
    }
  }
}

function* anyChunking(context: Context): Iterable<Try> {
  const options = optionsOf(context)
  for (const [on, { wire }] of context.examples) {
    const whole = JSON.stringify(read([wire], options).reply)
    const same = (chunks: readonly string[]): boolean =>
      JSON.stringify(read(chunks, options).reply) === whole
    yield { on, problem: same(wire.split('')) ? undefined : 'it differs character by character' }
    for (const at of placesIn(wire)) {
      const halves = [wire.slice(0, at), wire.slice(at)]
      yield { on, problem: same(halves) ? undefined : `it differs if split at character ${at}` }
    }
  }
  for (const text of soupOf(context)) {
    const [one, other] = [[text], text.split('')].map((chunks) => read(chunks, options).reply)
    yield { on: text, problem: difference('the reply', one, other) }
  }
}

function* nothingLost(context: Context): Iterable<Try> {
  const options = optionsOf(context)
  for (const text of [...context.examples.map(([, { wire }]) => wire), ...soupOf(context)]) {
    for (const finish of ['stop', 'length'] as const) {
      const reading = read([text], options, finish)
      yield { on: text, problem: loss(text, reading) ?? unsound(reading) }
    }
  }
}

function* cutsInventNothing(context: Context): Iterable<Try> {
  const options = optionsOf(context)
  for (const [on, { wire }] of context.examples) {
    const whole = completeCalls(read([wire], options))
    for (const at of placesIn(wire)) {
      const text = wire.slice(0, at)
      const cut = read([text], options, 'length')
      const calls = completeCalls(cut)
      yield {
        on: `${on}, cut at character ${at}`,
        problem:
          difference('calls', whole.slice(0, calls.length), calls) ??
          loss(text, cut) ??
          unsound(cut),
      }
    }
  }
}

/** Every offset in a text, or a sample of them if the text is long. */
function* placesIn(text: string): Iterable<number> {
  const step = Math.ceil(text.length / 1000)
  for (let at = 1; at < text.length; at += step) yield at
}

function soupOf({ protocol, examples, texts }: Context): Iterable<string> {
  const halves = examples.flatMap(([, { wire }]) => {
    const middle = wire.length >> 1
    return [wire, wire.slice(0, middle), wire.slice(middle)]
  })
  return soup([...marksOf(protocol), ...marksOf(protocol), ...halves, ...oddities], texts)
}

function* printedIsRead({ protocol }: Context): Iterable<Try> {
  const marks = marksOf(protocol).flatMap((mark) => mark.split(/\s+/))
  const plain = values.filter((value) => !marks.some((mark) => value.includes(mark)))
  const numbers = { mode: 42, ratio: 0.5, force: true }
  yield printed(protocol, [{ name: 'ping', args: {} }])
  yield printed(protocol, [{ name: 'write_file', args: { path: 'a', ...numbers } }])
  yield printed(protocol, [{ name: 'write_file', args: { tags: ['a', 'b'], meta: { a: 'b' } } }])
  yield printed(protocol, [
    { name: 'write_file', args: { path: 'a', content: 'b' } },
    { name: 'ping', args: {} },
  ])
  for (const content of plain) {
    yield printed(protocol, [{ name: 'write_file', args: { path: 'a', content, mode: -1 } }])
  }
}

function* marksInValues({ protocol }: Context): Iterable<Try> {
  for (const mark of marksOf(protocol)) {
    const { problem } = printed(protocol, [
      { name: 'write_file', args: { path: 'a', content: `x ${mark} y` } },
    ])
    yield { on: mark, problem: problem && 'a value that contains it is not read back' }
  }
}

function printed(protocol: Protocol, calls: readonly PrintableCall[]): Try {
  const on = printCalls(protocol, calls)
  const reading = read([on], { protocols: protocol, tools: printTools })
  const problem =
    difference(
      'calls',
      calls.map(({ name, args }) => [name, args]),
      completeCalls(reading),
    ) ??
    difference('repairs', [], repairs(reading.reply)) ??
    difference('the text', '', reading.reply.text.trim())
  return { on, problem }
}

function* examplesArePrinted({ protocol, tools, examples }: Context): Iterable<Try> {
  for (const [on, { wire, variant, calls = [] }] of examples) {
    if (variant || calls.length === 0) continue
    const ids = read([wire], { protocols: protocol, tools, makeId: () => '' }).reply.calls
    const text = printCalls(
      protocol,
      calls.map(([name, args], i) => ({ name, args, ...(ids[i]?.id && { id: ids[i].id }) })),
    ).trimEnd()
    const problem = `it is printed as ${JSON.stringify(text)}: set variant: true if that is intended`
    yield { on, problem: wire.includes(text) ? undefined : problem }
  }
}

function* promptNamesTools({ protocol }: Context): Iterable<Try> {
  // A protocol for reading only needs no prompt.
  if (!promptOf(protocol)) return
  const prompt = printPrompt(protocol, printTools)
  for (const { name } of printTools) {
    yield { on: name, problem: prompt.includes(name) ? undefined : 'the prompt does not name it' }
  }
}

function* linear(context: Context): Iterable<Try> {
  const { protocol, examples } = context
  const units = [
    ...marksOf(protocol),
    ...examples.flatMap(([, { wire }]) => [wire, wire.slice(0, wire.length >> 1)]),
  ]
  for (const unit of units) {
    if (unit === '') continue
    yield {
      on: unit,
      problem: growth(context, (size) => unit.repeat(Math.ceil(size / unit.length))),
    }
  }
  const whole = (size: number): string => {
    const content = 'lorem ipsum '.repeat(Math.ceil(size / 12))
    return printCalls(protocol, [{ name: 'write_file', args: { content } }])
  }
  yield { on: 'a long argument', problem: growth(context, whole) }
  const cut = (size: number): string => whole(size).slice(0, size)
  yield { on: 'a long argument without an end', problem: growth(context, cut) }
}

const TIMES = 4

/**
 * Returns the problem if the work grows faster than the input. Short inputs clear most protocols; a
 * suspicion is confirmed on long ones, since readers give up after a while.
 */
function growth(context: Context, text: (size: number) => string): string | undefined {
  const isSlow = (times: number): boolean => times > TIMES * 1.5
  if (!isSlow(growthFrom(1 << 11, context, text))) return undefined
  const times = growthFrom(1 << 13, context, text)
  return isSlow(times) ? `${TIMES} times the text is ${times.toFixed(1)} times the work` : undefined
}

function growthFrom(size: number, context: Context, text: (size: number) => string): number {
  const options = optionsOf(context)
  const [small, large] = [text(size), text(size * TIMES)]
  const growths = [4, large.length].map((chunk) => {
    const [less, more] = [chunksOf(small, chunk), chunksOf(large, chunk)].map((chunks) =>
      count(() => void read(chunks, options)),
    )
    // Corrects for the exact sizes, because units are never split.
    return (more! / less!) * ((small.length * TIMES) / large.length)
  })
  return Math.max(...growths)
}

function chunksOf(text: string, size: number): string[] {
  const chunks: string[] = []
  for (let at = 0; at < text.length; at += size) chunks.push(text.slice(at, at + size))
  return chunks
}

/**
 * The number of characters that `work` reads or copies, counted by spying on the string methods
 * that readers use.
 */
export function count(work: () => void): number {
  let looked = 0
  const undo = [
    spyOn('charCodeAt', () => looked++),
    spyOn('slice', (part) => (looked += (part as string).length)),
  ]
  try {
    work()
  } finally {
    for (const step of undo) step()
  }
  return looked
}

/** Passes each result of a string method to `onResult`. Returns a function that undoes this. */
function spyOn(name: 'charCodeAt' | 'slice', onResult: (result: unknown) => void): () => void {
  const own = Object.getOwnPropertyDescriptor(String.prototype, name)!
  const method = own.value as (this: string, ...args: unknown[]) => unknown
  Object.defineProperty(String.prototype, name, {
    ...own,
    value(this: string, from: unknown, to: unknown) {
      const result = method.call(this, from, to)
      onResult(result)
      return result
    },
  })
  return () => Object.defineProperty(String.prototype, name, own)
}
