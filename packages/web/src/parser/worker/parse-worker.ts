import {
  type Explanation,
  familyOf,
  protocols,
  type ToolDefinition,
  type Event,
  explain,
} from '@toolglot/core'
import { checkPicture } from '../draw/check-picture.ts'
import { compareProtocols, type StoredComparison } from './compare-protocols.ts'
import type {
  Asked,
  Question,
  Questions,
  ReadOptions,
  Told,
  StepEvent,
  Reason,
} from './messages.ts'
import { itemsOf, type Pause, readReply, type StoredReading } from './read-reply.ts'
import type { Item } from './item.ts'
import { itemOf, excerptAt, lineAt } from './item-of.ts'
import { bestKnownFirst, comparedProtocols, parserOptions } from './parser-options.ts'

/** The maximum number of events shown per step, and of characters of each. */
const MAX_EVENTS = 8

const MAX_TEXT = 28

const MAX_CARDS = 5

/** A newer request has made this one obsolete. */
class Outdated extends Error {}

/** The maximum time before the worker handles other messages, in milliseconds. */
const SLICE = 12

/** The latest text, its options and its results. */
let current: { readonly text: string; readonly options: ReadOptions } | undefined
let stored: StoredReading | undefined
let compared: StoredComparison | undefined
let opened: readonly Explanation[] | undefined
/** The most recent tools. */
let sentTools: readonly ToolDefinition[] | undefined
/** The newest request of each kind. */
const newest: Partial<Record<Question, number>> = {}

type Answers = {
  readonly [Name in Question]: (
    input: Questions[Name]['input'],
    pause: Pause,
  ) => Questions[Name]['output'] | Promise<Questions[Name]['output']>
}

const answers: Answers = {
  async read(input, pause) {
    if (!input.hasSameTools) sentTools = input.options.tools ?? sentTools
    const tools = input.hasSameTools ? sentTools : input.options.tools
    const next = { ...input, options: { ...input.options, ...(tools && { tools }) } }
    // The chosen protocol does not affect the readings of the others.
    if (!isComparedAlike(current, next)) compared = opened = undefined
    stored = undefined
    current = next
    const read = await readReply(next, pause)
    stored = read.stored
    return read.reading
  },
  async compare(_, pause) {
    const about = known(current)
    const done = compared ?? (await compareProtocols(about.text, about.options, pause, stored))
    if (about !== current) throw new Outdated()
    compared = done
    return done.comparison
  },
  async explain(_, pause) {
    const about = known(current)
    const done = opened ?? (await openedCalls(about.text, about.options, pause))
    if (about !== current) throw new Outdated()
    opened = done
    return reasonOf(about.text, about.options, done)
  },
  pieces({ protocol }) {
    const pieces = known(compared?.pieces.get(protocol))
    return { kinds: pieces.kinds.slice(), ends: pieces.ends.slice() }
  },
  cards: ({ protocol }) => cardsOf(known(current).text, known(compared), protocol),
  items: ({ from, to }) => itemsOf(known(stored), from, to),
  events: ({ step }) => stepEvents(known(stored), step),
  protocols: () =>
    Object.values(protocols).map((each) => ({ id: each.id, about: familyOf(each).about })),
  check: ({ source, onlyRead }) => checkPicture(source, { onlyRead }),
}

/** True if two requests have the same comparison and explanation. */
function isComparedAlike(one: typeof current, other: typeof current): boolean {
  if (!one || !other || one.text !== other.text) return false
  const { options: a } = one
  const { options: b } = other
  return (
    a.tools === b.tools &&
    a.finish === b.finish &&
    a.startsInReasoning === b.startsInReasoning &&
    a.drawn === b.drawn
  )
}

function known<Value>(value: Value | undefined): Value {
  if (value === undefined) throw new Outdated()
  return value
}

/** A request about a text is obsolete once there is another text. */
function pauseOf(id: number, name: Question): Pause {
  let last = performance.now()
  return () => {
    if (performance.now() - last < SLICE) return undefined
    return breathe().then(() => {
      const isAboutText = name !== 'check'
      if (newest[name] !== id || (isAboutText && (newest.read ?? 0) > id)) throw new Outdated()
      last = performance.now()
    })
  }
}

const channel = new MessageChannel()
const waiting: (() => void)[] = []
channel.port1.onmessage = () => waiting.shift()?.()

/** Lets pending messages be handled. A timer would have a longer delay. */
function breathe(): Promise<void> {
  return new Promise((resolve) => {
    waiting.push(resolve)
    channel.port2.postMessage(0)
  })
}

function tell(told: Told): void {
  postMessage(told)
}

async function answer<Name extends Question>(
  id: number,
  name: Name,
  input: Questions[Name]['input'],
): Promise<void> {
  newest[name] = id
  tell({ id, type: 'begun' })
  try {
    tell({ id, type: 'answer', output: await answers[name](input, pauseOf(id, name)) })
  } catch (error) {
    if (error instanceof Outdated) tell({ id, type: 'outdated' })
    else
      tell({ id, type: 'failed', message: error instanceof Error ? error.message : String(error) })
  }
}

addEventListener('message', ({ data }: MessageEvent<Asked>) => {
  void answer(data.id, data.name, data.input)
})

/** The first calls and malformed pieces that a protocol finds in a text. */
function cardsOf(
  text: string,
  { pieces, values, check }: StoredComparison,
  protocol: string,
): Questions['cards']['output'] {
  const own = pieces.get(protocol)
  if (!own) return { items: [], left: 0 }
  const all = [...(values.get(own) ?? [])]
  const items = all
    .slice(0, MAX_CARDS)
    .map(([at, value]) => named(itemOf(text, own, at, value, check), protocol))
  return { items, left: Math.max(0, all.length - MAX_CARDS) }
}

/** Protocols with equal readings share one, in which calls have the name of the first protocol. */
function named(item: Item, protocol: string): Item {
  return item.kind === 'call' && !item.facts.includes('otherProtocol')
    ? { ...item, protocol }
    : item
}

/** The events in a step of a replay. */
function stepEvents({ events, eventEnds }: StoredReading, step: number): StepEvent[] {
  const from = step <= 0 ? 0 : eventEnds[step - 1]!
  return events.slice(from, Math.min(eventEnds[step] ?? 0, from + MAX_EVENTS)).map((event) => {
    const text = textOf(event)
    return { type: event.type, text: text === undefined ? undefined : text.slice(0, MAX_TEXT) }
  })
}

function textOf(event: Event): string | undefined {
  switch (event.type) {
    case 'text':
    case 'reasoning':
    case 'call-delta':
      return event.delta
    case 'call-start':
      return event.name
    case 'call-end':
      return event.call.name
    case 'malformed':
      return event.problem
    case 'result':
      return event.raw
    case 'end':
      return event.finish
  }
}

/** The maximum number of protocols to name. */
const MAX_NAMED = 3

/** Finds the protocols that recognized the start of a call in a reply without calls. */
async function openedCalls(
  text: string,
  options: ReadOptions,
  pause: Pause,
): Promise<readonly Explanation[]> {
  const opened: Explanation[] = []
  for (const [name, protocol] of comparedProtocols(options)) {
    const [explanation] = explain(text, { ...parserOptions(options), protocols: [protocol] })
    if (explanation && explanation.opened > 0 && explanation.furthest)
      opened.push({ ...explanation, protocol: name })
    await pause()
  }
  return opened
}

/** The places where the furthest protocols stopped, the chosen protocol first. */
function reasonOf(
  text: string,
  { protocol: chosen }: ReadOptions,
  opened: readonly Explanation[],
): Reason {
  const isChosen = ({ protocol }: Explanation): number => Number(protocol === chosen)
  const sorted = opened.toSorted(
    (a, b) =>
      isChosen(b) - isChosen(a) ||
      b.furthest!.at - a.furthest!.at ||
      bestKnownFirst(a.protocol, b.protocol),
  )
  return {
    furthest: sorted.slice(0, MAX_NAMED).map(({ protocol, furthest }) => ({
      protocol,
      expected: furthest!.expected,
      place: excerptAt(text, furthest!.at, lineAt(text, furthest!.at)),
    })),
  }
}
