import type { Protocol } from '../protocol.ts'
import type { Part, Wire } from '../wire.ts'
import { leadingSpace, type Second, secondOf, starts, tokens } from './compile.ts'
import { kept } from './cached.ts'
import { LINE_END, Marks, NAME } from './marks.ts'
import type { Message } from './message.ts'
import type { Names } from './names.ts'

/** A part of a reply with its own opening, and how to read it. */
export interface Block {
  readonly kind: 'call' | 'section' | 'reasoning' | 'answer' | 'result' | 'ignore'
  readonly protocol: Protocol
  readonly wire: Wire
  /** The marks that the block may begin with. `NAME` represents the name of a known tool. */
  readonly marks: readonly string[]
  /**
   * The opening marks, prepared for searching. For known tools, their names must be filled in
   * first.
   */
  readonly opening: Marks
  /** The mark that must follow the first one, if that is certain. */
  readonly second: Second | undefined
  /** The mark that ends the block, if any. */
  readonly closing: string | undefined
  /** The marks to search for to find the block's end. */
  readonly ending: Marks
  /** The marks that may close a region, which is reasoning or an answer. */
  readonly closings: readonly string[]
  /** True for the closing mark of a region that occurs outside of one. */
  readonly closesRegion?: boolean
  readonly anyCase: boolean
  /** True if the block has no mark to identify it, so it counts only at the start of a reply. */
  readonly weak: boolean
  /** True for an element of a list, in its own brackets. */
  readonly element?: boolean
  /** True if the block has a mark but counts only at the start of a reply. */
  readonly anchored: boolean
  /** True if the block's marks have other uses. */
  readonly general?: boolean
  /**
   * True for the protocol's own picture. Text that begins like it but cannot be read is worth
   * reporting.
   */
  readonly primary?: boolean
}

/**
 * The blocks of all protocols, in the order in which they are tried, and the marks to search for.
 */
export interface Grammar {
  readonly blocks: readonly Block[]
  /** The marks that may begin a block anywhere. */
  readonly strong: Marks
  /**
   * The marks that may begin a block at the start of a reply, with the indexes of the blocks in the
   * list.
   */
  readonly first: Marks
  /** The marks that may begin a call. */
  readonly calls: Marks
  /** The marks that may begin an answer. */
  readonly answers: Marks
  /** The marks that may begin an answer or reasoning. */
  readonly regions: Marks
  /** The marks that show the end of the preceding call. */
  readonly after: Marks
  /** The marks without meaning. They do not end a call. */
  readonly ignored: Marks
  /** True if calls have only brackets instead of marks, so that they may begin anywhere. */
  readonly markless: boolean
}

/**
 * The openings of code, which hides marks. They are searched for together with the openings of
 * blocks.
 */
const CODE = ['`', '~~~']

const known = new WeakMap<object, WeakMap<object, Grammar>>()
const ANY = [NAME]

/** The grammar of these protocols, for tools with these names if they are known. Cached. */
export function grammarOf(protocols: readonly Protocol[], names: Names | undefined): Grammar {
  const owner = protocols.length === 1 ? protocols[0]! : protocols
  const own = kept(known, owner, () => new WeakMap<object, Grammar>())
  if (!names || names.empty)
    return kept(own, names ?? owner, () => compileGrammar(protocols, names && []))
  return kept(own, names, () => {
    // Some protocols recognize a call by the tool's name. Only those few marks depend on the tools.
    const { strong, first, calls, after, ...rest } = kept(own, ANY, () =>
      compileGrammar(protocols, ANY),
    )
    return {
      ...rest,
      strong: strong.for(names),
      first: first.for(names),
      calls: calls.for(names),
      after: after.for(names),
    }
  })
}

function compileGrammar(
  protocols: readonly Protocol[],
  names: readonly string[] | undefined,
): Grammar {
  const ids = new Set(protocols.map(({ id }) => id))
  // The calls of a dialect are read by the protocol it names, but its results may be drawn
  // differently.
  const isRead = ({ dialect }: Protocol): boolean => !ids.has(dialect!)
  const leading = protocols.find(isRead)
  const all = protocols
    .flatMap((protocol) => {
      const own = blocksOf(protocol, names, protocol === leading ? othersThoughts(protocols) : [])
      return isRead(protocol) ? own : own.filter(({ kind }) => kind === 'result')
    })
    .sort(byStrictness)
  const blocks = distinct(all)
  const closings = new Set(blocks.filter(isCall).map(({ closing }) => closing))
  const marksOf = (chosen: (block: Block) => boolean, more: readonly string[] = []): Marks => {
    const marks = new Marks()
    marks.add(more, false, -1)
    blocks.forEach((block, number) => {
      if (chosen(block)) marks.add(block.marks, block.anyCase, number)
    })
    return marks
  }
  return {
    blocks,
    strong: marksOf(({ weak }) => !weak, CODE),
    first: marksOf(() => true, CODE),
    calls: marksOf((block) => !block.weak && isCall(block)),
    answers: marksOf(({ kind }) => kind === 'answer'),
    regions: marksOf(({ kind }) => kind === 'answer' || kind === 'reasoning'),
    after: marksOf(({ kind, weak }) => !weak && kind !== 'result'),
    ignored: marksOf(
      ({ kind, weak, closing }) => !weak && kind === 'ignore' && !closings.has(closing),
    ),
    markless: blocks.every((block) => !block.primary || inBrackets(block)),
  }
}

/**
 * Removes duplicates of pictures that several protocols share: if one protocol cannot read the text
 * with it, none can.
 */
function distinct(blocks: readonly Block[]): Block[] {
  const holes = new Map<Part, number>()
  const seen = new Set<string>()
  return blocks.filter(({ kind, wire, anyCase, weak, closesRegion }) => {
    // The reading of a section or region depends on the rest of its protocol; the reading of a
    // result depends on the call's protocol.
    if (kind !== 'call' && kind !== 'ignore') return true
    const parts = wire.map((part) => {
      return typeof part === 'string' ? part : kept(holes, part, () => holes.size)
    })
    const picture = JSON.stringify([kind, anyCase, weak, closesRegion, parts])
    return !seen.has(picture) && seen.add(picture)
  })
}

/** Common formats of reasoning, in any protocol. The protocol's own pictures take precedence. */
const COMMON_THOUGHTS: readonly Wire[] = ['think', 'thinking'].map((tag) => [
  `<${tag}>`,
  `</${tag}>`,
])

function othersThoughts(protocols: readonly Protocol[]): readonly Wire[] {
  const own = new Set(protocols.flatMap(({ reasoning }) => wiresOf(reasoning).map(first)))
  return COMMON_THOUGHTS.filter((wire) => !own.has(first(wire)))
}

/** True if a block is a call or contains calls. */
export function isCall({ kind }: Pick<Block, 'kind'>): boolean {
  return kind === 'call' || kind === 'section'
}

/** True if a block has brackets instead of marks. */
export function inBrackets({ marks }: Block): boolean {
  return marks.every((mark) => mark === '[' || mark === '{')
}

/** Sorts blocks so that the strictest of several matching pictures is tried first. */
function byStrictness(a: Block, b: Block): number {
  return looseness(a) - looseness(b)
}

function looseness({ kind, wire, weak, general, primary, anyCase }: Block): number {
  // For pictures without meaning, longer ones are more specific.
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

/** The order in which blocks are tried. */
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
    // A single bracket is not a mark.
    const bare = marks.every((mark) => mark.length === 1)
    const closing = closingOf(wire)
    return {
      kind,
      protocol,
      wire,
      marks,
      opening: new Marks(marks, anyCase),
      second: isCall({ kind }) ? secondOf(wire, anyCase) : undefined,
      closing,
      ending: new Marks([closing ?? '\n'], anyCase),
      closings: [],
      anyCase,
      weak: (protocol.weak ?? false) || beginsWithHole(wire) || bare,
      anchored: wire.some((part) => typeof part !== 'string' && part.anchored),
      ...more,
    }
  }
  /** Pictures with the same opening form one region with several possible ends. */
  const region = (kind: 'reasoning' | 'answer', wire: Wire, all: readonly Wire[]): Block => {
    const same = all.filter((other) => first(other) === first(wire))
    return block(kind, wire, {
      ending: new Marks(same.flatMap(edges), anyCase),
      closings: same.map((other) => closingOf(other)!),
      weak: false,
    })
  }
  const kindOf = (wire: Wire): Block['kind'] => (isSection(wire) ? 'section' : 'call')
  // A call that begins with a hole can open a block only if it has no section around it.
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
      typeof mark === 'string' ? block('ignore', [mark], { weak: false }) : block('ignore', mark),
    ),
  ]
}

/** True if a picture contains calls. */
export function isSection(wire: Wire): boolean {
  return wire.some((part) => typeof part !== 'string' && 'of' in part)
}

/** True if a picture has no mark at its beginning. */
export function beginsWithHole(wire: Wire): boolean {
  const part = wire.find((each) => typeof each === 'string' || !each.optional || 'of' in each)
  return typeof part !== 'string' && !part?.marked
}

/** Returns one or more pictures as a list. */
export function wiresOf(wires: Wire | readonly Wire[] | undefined): readonly Wire[] {
  if (!wires || wires.length === 0) return []
  return Array.isArray(wires[0]) ? (wires as readonly Wire[]) : [wires as Wire]
}

function first(wire: Wire): string {
  return tokens(wire[0])[0]!
}

/** The marks that end a region, and those that reopen it. */
function edges(wire: Wire): string[] {
  const close = wire.at(-1)
  const closing = tokens(close)[0]!
  return [(leadingSpace(close) || '\n') + closing, closing, first(wire)]
}

/** The last mark of a picture, if it ends with one. */
export function closingOf(wire: Wire): string | undefined {
  return tokens(wire.at(-1)).at(-1)
}

const inside = new WeakMap<Block, Map<Wire | undefined, Block[]>>()

/** The pictures of calls in a section: the section's own, or all of the protocol's. Cached. */
export function callsInside(block: Block, of: Wire | undefined): Block[] {
  const known = kept(inside, block, () => new Map<Wire | undefined, Block[]>())
  return kept(known, of, () => makeCallsInside(block, of))
}

function makeCallsInside(block: Block, of: Wire | undefined): Block[] {
  const { call, variants = [], general = [] } = block.protocol
  const wires = of ? [of] : [call, ...variants, ...general].filter((wire) => !isSection(wire))
  return wires.map((wire) => {
    const marks = starts(wire, undefined, wire).marks
    return {
      ...block,
      kind: 'call',
      wire,
      marks,
      closing: closingOf(wire),
      ending: LINE_END,
      element: beginsWithHole(wire),
      primary: true,
    }
  })
}

/**
 * True if a name is not enough to announce a call. JSON often has one, pictures may begin alike,
 * and an id may follow it.
 */
export function isPatient({ rivals }: Message, { primary, weak, wire }: Block): boolean {
  return !primary || weak || rivals || wire.some(identifies)
}

function identifies(part: Wire[number]): boolean {
  return typeof part !== 'string' && part.identifies === true
}
