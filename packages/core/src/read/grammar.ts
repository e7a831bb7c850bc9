import type { Protocol } from '../protocol.ts'
import type { Wire } from '../wire.ts'
import { leadingSpace, starts, tokens } from './compile.ts'
import { Marks } from './marks.ts'

/** Something with an opening of its own. */
export interface Block {
  readonly kind: 'call' | 'section' | 'reasoning' | 'result' | 'ignore'
  readonly protocol: Protocol
  readonly wire: Wire
  /** What it may begin with. */
  readonly marks: readonly string[]
  readonly opening: Marks
  /** The mark that ends it, if one does; and where to look for its end. */
  readonly closing: string | undefined
  readonly ending: Marks
  readonly anyCase: boolean
  /** It has no mark of its own to tell it by: it counts only as the first thing in a reply. */
  readonly weak: boolean
  /** The protocol's own picture: what begins like it and cannot be read is worth reporting. */
  readonly primary: boolean
}

/** The blocks of all protocols, in the order in which they are tried, and the marks to look for. */
export interface Grammar {
  readonly blocks: readonly Block[]
  /** What begins a block anywhere; and what does so at the start of a reply. */
  readonly strong: Marks
  readonly first: Marks
  /** What begins a call. */
  readonly calls: Marks
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
  const found = kept.get(key) ?? compileGrammar(protocols, names)
  if (kept.size < MOST_KEPT) kept.set(key, found)
  return found
}

const MOST_KEPT = 64

function compileGrammar(
  protocols: readonly Protocol[],
  names: readonly string[] | undefined,
): Grammar {
  const blocks = protocols.flatMap((protocol) => blocksOf(protocol, names)).sort(byStrictness)
  const strong = new Marks(CODE)
  const first = new Marks(CODE)
  const calls = new Marks()
  for (const { kind, marks, anyCase, weak } of blocks) {
    first.add(marks, anyCase)
    if (!weak) strong.add(marks, anyCase)
    if (!weak && (kind === 'call' || kind === 'section')) calls.add(marks, anyCase)
  }
  return { blocks, strong, first, calls }
}

/** Where several pictures could read the same text, the strictest is tried first; else the order does not matter. */
function byStrictness(a: Block, b: Block): number {
  return looseness(a) - looseness(b)
}

function looseness({ weak, primary, anyCase }: Block): number {
  return (weak ? 4 : 0) + (primary ? 0 : 2) + (anyCase ? 1 : 0)
}

function blocksOf(protocol: Protocol, names: readonly string[] | undefined): Block[] {
  const { call, section, variants = [], reasoning, result, error, ignore = [] } = protocol
  const anyCase = protocol.anyCase ?? false
  const block = (kind: Block['kind'], wire: Wire, primary = false): Block => {
    const marks = starts(wire, names, call).marks
    const weak = (protocol.weak ?? false) || beginsWithHole(wire)
    const opening = new Marks(marks, anyCase)
    const closing = closingOf(wire)
    const ending = new Marks(kind === 'reasoning' ? edges(wire) : [closing ?? '\n'], anyCase)
    return { kind, protocol, wire, marks, opening, closing, ending, anyCase, weak, primary }
  }
  const kindOf = (wire: Wire): Block['kind'] => (isSection(wire) ? 'section' : 'call')
  // A call that begins with a hole is an opening by itself only where no section stands around it.
  const alone = !section || !beginsWithHole(call)
  return [
    ...(section ? [block('section', section, true)] : []),
    ...(alone ? [block('call', call, true)] : []),
    ...variants.map((wire) => block(kindOf(wire), wire)),
    ...(reasoning ? [block('reasoning', reasoning), block('ignore', [closingOf(reasoning)!])] : []),
    ...[result, ...(error ? [error] : [])]
      .filter((wire) => !beginsWithHole(wire))
      .map((wire) => block('result', wire)),
    ...ignore.map((mark) => block('ignore', [mark])),
  ]
}

export function isSection(wire: Wire): boolean {
  return wire.some((part) => typeof part !== 'string' && 'of' in part)
}

function beginsWithHole(wire: Wire): boolean {
  const part = wire.find((each) => typeof each === 'string' || !each.optional || 'of' in each)
  return typeof part !== 'string' && !part?.marked
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
