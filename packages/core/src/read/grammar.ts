import type { Protocol } from '../protocol.ts'
import type { Part, Wire } from '../wire.ts'
import { leadingSpace, type Second, secondOf, starts, tokens } from './compile.ts'
import { keep } from './keep.ts'
import { Marks } from './marks.ts'

/** Something with an opening of its own. */
export interface Block {
  readonly kind: 'call' | 'section' | 'reasoning' | 'answer' | 'result' | 'ignore'
  readonly protocol: Protocol
  readonly wire: Wire
  /** What it may begin with. */
  readonly marks: readonly string[]
  readonly opening: Marks
  /** What must follow its first mark, where that is certain. */
  readonly second: Second | undefined
  /** The mark that ends it, if one does; and where to look for its end. */
  readonly closing: string | undefined
  readonly ending: Marks
  /** What may close it, where it is a region: reasoning or an answer. */
  readonly closings: readonly string[]
  /** It is the closing mark of a region, met outside of one. */
  readonly closesRegion: boolean
  readonly anyCase: boolean
  /** It has no mark of its own to tell it by: it counts only as the first thing in a reply. */
  readonly weak: boolean
  /** It is one of a list, and stands between brackets of its own. */
  readonly element: boolean
  /** It has one, though it counts only there. */
  readonly anchored: boolean
  /** Others use its marks for other things. */
  readonly general: boolean
  /** The protocol's own picture: what begins like it and cannot be read is worth reporting. */
  readonly primary: boolean
}

/** The blocks of all protocols, in the order in which they are tried, and the marks to look for. */
export interface Grammar {
  readonly blocks: readonly Block[]
  /** What begins a block anywhere. */
  readonly strong: Marks
  /** What begins one at the start of a reply; with the blocks' numbers in the list. */
  readonly first: Marks
  /** What begins a call; an answer; an answer or reasoning. */
  readonly calls: Marks
  readonly answers: Marks
  readonly regions: Marks
  /** What shows that a call before it is over. */
  readonly after: Marks
  /** What carries nothing, and ends no call. */
  readonly ignored: Marks
  /** These protocols' own calls have no marks, only brackets: they may begin anywhere. */
  readonly markless: boolean
}

/** Code, which hides marks; looked at with the openings. */
const CODE = ['`', '~~~']

const known = new WeakMap<object, Map<string, Grammar>>()

/** The grammar of these protocols, for tools of these names if they are told. The same ones are compiled once. */
export function grammarOf(
  protocols: readonly Protocol[],
  names: readonly string[] | undefined,
): Grammar {
  const owner = protocols.length === 1 ? protocols[0]! : protocols
  const kept = known.get(owner) ?? new Map<string, Grammar>()
  known.set(owner, kept)
  // Some protocols tell a call by the tool's name: for other tools they are others.
  const key = JSON.stringify(names ?? null)
  return keep(kept, key, () => compileGrammar(protocols, names))
}

function compileGrammar(
  protocols: readonly Protocol[],
  names: readonly string[] | undefined,
): Grammar {
  const ids = new Set(protocols.map(({ id }) => id))
  // What a dialect's models write, the protocol it names reads; but results may be drawn otherwise.
  const isRead = ({ dialect }: Protocol): boolean => !ids.has(dialect!)
  const leading = protocols.find(isRead)
  const all = protocols
    .flatMap((protocol) => {
      const own = blocksOf(protocol, names, protocol === leading ? othersThoughts(protocols) : [])
      return isRead(protocol) ? own : own.filter(({ kind }) => kind === 'result')
    })
    .sort(byStrictness)
  const blocks = distinct(all)
  const strong = new Marks(CODE)
  const first = new Marks()
  first.add(CODE, false, -1)
  const calls = new Marks()
  const answers = new Marks()
  const regions = new Marks()
  const after = new Marks()
  const ignored = new Marks()
  const closings = new Set(blocks.filter(isCall).map(({ closing }) => closing))
  for (const [number, block] of blocks.entries()) {
    const { kind, marks, anyCase, weak } = block
    first.add(marks, anyCase, number)
    if (!weak) strong.add(marks, anyCase)
    if (!weak && isCall(block)) calls.add(marks, anyCase)
    if (!weak && kind !== 'result') after.add(marks, anyCase)
    if (kind === 'ignore' && !weak && !closings.has(block.closing)) ignored.add(marks, anyCase)
    if (kind === 'answer') answers.add(marks, anyCase)
    if (kind === 'answer' || kind === 'reasoning') regions.add(marks, anyCase)
  }
  return {
    blocks,
    strong,
    first,
    calls,
    answers,
    regions,
    after,
    ignored,
    markless: blocks.every(isBracketed),
  }
}

/** A picture that several protocols draw alike is tried once: where one cannot be read, none can. */
function distinct(blocks: readonly Block[]): Block[] {
  const holes = new Map<Part, number>()
  const seen = new Set<string>()
  return blocks.filter(({ kind, wire, anyCase, weak, closesRegion }) => {
    // What else is in its protocol tells how a section or a region is read; whose a result is, whether it is believed.
    if (kind !== 'call' && kind !== 'ignore') return true
    const parts = wire.map((part) => {
      if (typeof part === 'string') return part
      if (!holes.has(part)) holes.set(part, holes.size)
      return holes.get(part)
    })
    const picture = JSON.stringify([kind, anyCase, weak, closesRegion, parts])
    return !seen.has(picture) && seen.add(picture)
  })
}

/** How models think that were taught or told to, whatever the protocol; its own pictures go first. */
const COMMON_THOUGHTS: readonly Wire[] = ['think', 'thinking'].map((tag) => [
  `<${tag}>`,
  `</${tag}>`,
])

function othersThoughts(protocols: readonly Protocol[]): readonly Wire[] {
  const own = new Set(protocols.flatMap(({ reasoning }) => wiresOf(reasoning).map(first)))
  return COMMON_THOUGHTS.filter((wire) => !own.has(first(wire)))
}

function isCall({ kind }: Block): boolean {
  return kind === 'call' || kind === 'section'
}

/** A protocol's own call has no marks, but stands in brackets. */
function isBracketed({ primary, marks }: Block): boolean {
  return !primary || marks.every((mark) => mark === '[' || mark === '{')
}

/** Where several pictures could read the same text, the strictest is tried first; else the order does not matter. */
function byStrictness(a: Block, b: Block): number {
  return looseness(a) - looseness(b)
}

function looseness({ kind, wire, weak, general, primary, anyCase }: Block): number {
  // Of pictures that carry nothing, the longer say more.
  const parts = kind === 'ignore' ? wire.length / 10 : 0
  return (
    (weak ? 40 : 0) +
    (general ? 30 : 0) +
    (primary ? 0 : 20) +
    (anyCase ? 10 : 0) +
    KINDS.indexOf(kind) -
    parts
  )
}

/** What carries nothing comes last. */
const KINDS: readonly Block['kind'][] = [
  'section',
  'call',
  'reasoning',
  'answer',
  'result',
  'ignore',
]

function blocksOf(
  protocol: Protocol,
  names: readonly string[] | undefined,
  others: readonly Wire[],
): Block[] {
  const { call, section, variants = [], general = [], ignore = [] } = protocol
  const { result, results, error } = protocol
  const thoughts = [...wiresOf(protocol.reasoning), ...others]
  const answers = wiresOf(protocol.answer)
  const anyCase = protocol.anyCase ?? false
  const block = (kind: Block['kind'], wire: Wire, more: Partial<Block> = {}): Block => {
    const marks = starts(wire, names, call).marks
    // A single bracket is no mark either.
    const bare = marks.every((mark) => mark.length === 1)
    const closing = closingOf(wire)
    return {
      kind,
      protocol,
      wire,
      marks,
      opening: new Marks(marks, anyCase),
      second: kind === 'call' || kind === 'section' ? secondOf(wire, anyCase) : undefined,
      closing,
      ending: new Marks([closing ?? '\n'], anyCase),
      closings: [],
      closesRegion: false,
      element: false,
      anyCase,
      weak: (protocol.weak ?? false) || beginsWithHole(wire) || bare,
      anchored: wire.some((part) => typeof part !== 'string' && part.anchored),
      general: false,
      primary: false,
      ...more,
    }
  }
  /** Pictures with the same opening are one region with several ends. */
  const region = (kind: 'reasoning' | 'answer', wire: Wire, all: readonly Wire[]): Block => {
    const same = all.filter((other) => first(other) === first(wire))
    return block(kind, wire, {
      ending: new Marks(same.flatMap(edges), anyCase),
      closings: same.map((other) => closingOf(other)!),
      weak: false,
    })
  }
  const kindOf = (wire: Wire): Block['kind'] => (isSection(wire) ? 'section' : 'call')
  // A call that begins with a hole is an opening by itself only where no section stands around it.
  const alone = !section || !beginsWithHole(call)
  return [
    ...(section ? [block('section', section, { primary: true })] : []),
    ...(alone ? [block('call', call, { primary: true })] : []),
    ...variants.map((wire) => block(kindOf(wire), wire)),
    ...general.map((wire) => block(kindOf(wire), wire, { general: true })),
    ...thoughts.map((wire) => region('reasoning', wire, thoughts)),
    ...answers.map((wire) => region('answer', wire, answers)),
    ...[...thoughts, ...answers].map((wire) =>
      block('ignore', [closingOf(wire)!], { closesRegion: true, weak: false }),
    ),
    ...[result, results, error]
      .filter((wire) => wire !== undefined)
      .map((wire) => block('result', wire))
      .filter(({ weak }) => !weak),
    ...ignore.map((mark) =>
      block(
        'ignore',
        typeof mark === 'string' ? [mark] : mark,
        typeof mark === 'string' ? { weak: false } : {},
      ),
    ),
  ]
}

export function isSection(wire: Wire): boolean {
  return wire.some((part) => typeof part !== 'string' && 'of' in part)
}

export function beginsWithHole(wire: Wire): boolean {
  const part = wire.find((each) => typeof each === 'string' || !each.optional || 'of' in each)
  return typeof part !== 'string' && !part?.marked
}

/** One picture or several. */
export function wiresOf(wires: Wire | readonly Wire[] | undefined): readonly Wire[] {
  if (!wires || wires.length === 0) return []
  return Array.isArray(wires[0]) ? (wires as readonly Wire[]) : [wires as Wire]
}

function first(wire: Wire): string {
  return tokens(wire[0] as string)[0]!
}

/** What reasoning ends with, and what opens it again. */
function edges(wire: Wire): string[] {
  const [open, close] = [wire[0], wire.at(-1)] as [string, string]
  const closing = tokens(close)[0]!
  return [(leadingSpace(close) || '\n') + closing, closing, tokens(open)[0]!]
}

/** The last mark of a picture that ends with one. */
export function closingOf(wire: Wire): string | undefined {
  const last = wire.at(-1)
  return typeof last === 'string' ? tokens(last).at(-1) : undefined
}
