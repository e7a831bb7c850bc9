import { compare } from '../read/marks.ts'

/** A mark to make inert. */
export interface Inert {
  readonly mark: string
  readonly anyCase: boolean
  /** Ordinary text may contain the mark: it counts only if one of these characters comes next, ignoring whitespace. */
  readonly followedBy?: string
  /** A name comes between the mark and that character. */
  readonly named?: boolean
}

/** WORD JOINER: invisible, and not part of any mark. */
export const JOINER = '\u2060'

/** Finds marks in text: its own, and those of an index that it shares with others. */
export class MarkIndex {
  /** By the low byte of a first character: a bit for the low five bits of each second character, which ignore case. */
  readonly #pairs: Int32Array
  /** By the hash of their first characters. */
  readonly #byStart = new Map<number, Inert[]>()
  /** How many characters those are: as many as `START`, or all of a shorter mark. */
  readonly #lengths = new Set<number>()
  readonly #shared: MarkIndex | undefined
  #longest = 0

  constructor(marks: readonly Inert[], shared?: MarkIndex) {
    this.#pairs = shared ? shared.#pairs.slice() : new Int32Array(256)
    this.#shared = shared
    for (const one of marks) if (one.mark !== '' && !this.#has(one)) this.#add(one)
  }

  /** The length of the longest mark. */
  get longest(): number {
    return Math.max(this.#longest, this.#shared?.longest ?? 0)
  }

  /** Makes `mayBegin` true for whatever begins like this text. */
  addStart(text: string): void {
    // Anything may follow a mark of one character.
    const second = text.length === 1 ? -1 : 1 << text.charCodeAt(1)
    this.#pairs[text.charCodeAt(0) & 255]! |= second
  }

  /** Whether a mark may begin here: two characters rule out most places. */
  mayBegin(text: string, at: number): boolean {
    const seconds = this.#pairs[text.charCodeAt(at) & 255]!
    if (seconds === 0) return false
    const second = text.charCodeAt(at + 1)
    return ((seconds >>> second) & 1) === 1 || second === JOINER.charCodeAt(0)
  }

  /** Whether one of the marks that begin here is accepted. */
  some(text: string, at: number, isAccepted: (mark: Inert) => boolean): boolean {
    for (const length of this.#lengths)
      for (const one of this.#byStart.get(hashOf(text, at, length)) ?? NONE)
        if (isAt(one, text, at) && isAccepted(one)) return true
    return this.#shared?.some(text, at, isAccepted) ?? false
  }

  #add(one: Inert): void {
    const { mark, anyCase } = one
    const length = Math.min(mark.length, START)
    const hash = hashOf(mark, 0, length)
    this.#byStart.set(hash, [...(this.#byStart.get(hash) ?? NONE), one])
    this.#lengths.add(length)
    this.#longest = Math.max(this.#longest, mark.length)
    const cases = anyCase ? [mark, mark.toLowerCase(), mark.toUpperCase()] : [mark]
    for (const each of cases) this.addStart(each)
  }

  #has(one: Inert): boolean {
    const { mark } = one
    const alike = this.#byStart.get(hashOf(mark, 0, Math.min(mark.length, START))) ?? NONE
    if (alike.some((other) => isSame(one, other))) return true
    return this.#shared !== undefined && this.#shared.#has(one)
  }
}

/** How many characters marks are grouped by. */
const START = 3

const NONE: readonly Inert[] = []

/** A number for a few characters, which is the same for capitals. */
function hashOf(text: string, at: number, length: number): number {
  let hash = 0
  for (let i = at; i < at + length; i++) hash = hash * 31 + (text.charCodeAt(i) | 32)
  return hash
}

function isAt({ mark, anyCase }: Inert, text: string, at: number): boolean {
  return anyCase ? compare(text, at, text.length, mark, true) === 'all' : text.startsWith(mark, at)
}

function isSame(one: Inert, other: Inert): boolean {
  return (
    one.mark === other.mark &&
    one.anyCase === other.anyCase &&
    one.followedBy === other.followedBy &&
    one.named === other.named
  )
}
