/**
 * The key of a record in structured form. It identifies the subject of the record. Keys are printed
 * and parsed only in this file.
 */
export type RecordKey =
  | { readonly type: Numbered; readonly number: number }
  /** The request to confirm that a run may continue although its setup has changed. */
  | { readonly type: 'changed'; readonly hash: string }
  | TurnKey
  /** Calls of a turn that were not executed. */
  | (InTurn & { readonly type: 'not-run' })
  | CompactionKey
  | SummaryKey
  | CallKey
  /** Another start of a call that was interrupted before. */
  | (InCall & { readonly type: 'again'; readonly number: number })
  | (InCall & { readonly type: 'approval'; readonly hash: string })
  | (InCall & { readonly type: 'question'; readonly number: number })

/** A reply from the model. */
export type TurnKey = InTurn & { readonly type: 'turn' }

/**
 * A compaction of the history before a turn. Numbered, because a turn may fail or require several.
 */
export type CompactionKey = InTurn & { readonly type: 'compaction'; readonly number: number }

/** The summary that the model wrote for a compaction. */
export type SummaryKey = InTurn & { readonly type: 'summary'; readonly number: number }

/** A call, and its outcome. */
export type CallKey = InCall & { readonly type: 'call' }

/**
 * Records that can occur several times in a run: a setup, a resumption, a message it has read, a
 * late outcome, an end, or a message sent to it.
 */
type Numbered = 'setup' | 'resume' | 'input' | 'late' | 'end' | 'message'

export interface InTurn {
  readonly turn: number
  /** A last turn without tools, taken at a limit. These turns are numbered separately. */
  readonly final?: true
}

interface InCall extends InTurn {
  /** The index of the call in its turn. */
  readonly call: number
}

/** Prints a key in its stored form. */
export function printKey(key: RecordKey): string {
  switch (key.type) {
    case 'setup':
      return key.number === 0 ? 'run' : `run/${key.number}`
    case 'resume':
    case 'input':
    case 'late':
    case 'end':
    case 'message':
      return `${key.type}/${key.number}`
    case 'changed':
      return `changed/${key.hash}`
    case 'turn':
      return printTurn(key)
    case 'not-run':
      return `${printTurn(key)}/not-run`
    case 'compaction':
      return printCompaction(key)
    case 'summary':
      return `${printCompaction(key)}/summary`
    case 'call':
      return printCall(key)
    case 'again':
      return `${printCall(key)}/again/${key.number}`
    case 'approval':
      return `${printCall(key)}/approval/${key.hash}`
    case 'question':
      return `${printCall(key)}/question${key.number === 0 ? '' : `/${key.number}`}`
  }
}

function printTurn({ final, turn }: InTurn): string {
  return `${final ? 'final' : 'turn'}/${turn}`
}

function printCall(key: InCall): string {
  return `${printTurn(key)}/call/${key.call}`
}

function printCompaction({ final, turn, number }: InTurn & { readonly number: number }): string {
  return `compact/${final ? 'final-' : ''}${turn}${number === 0 ? '' : `/${number}`}`
}

/** Parses a key. Returns undefined unless `printKey` would print exactly this text. */
export function parseKey(text: string): RecordKey | undefined {
  const [first = '', ...rest] = text.split('/', MAX_PARTS)
  const key = read(first, rest)
  return key && printKey(key) === text ? key : undefined
}

/** One more than the maximum number of parts, so that longer strings are rejected. */
const MAX_PARTS = 7

/** Parses a string leniently. The caller must check that the result prints as the same text. */
function read(first: string, [second, third, ...rest]: readonly string[]): RecordKey | undefined {
  const number = numberOf(second)
  switch (first) {
    case 'run':
      return { type: 'setup', number }
    case 'resume':
    case 'input':
    case 'late':
    case 'end':
    case 'message':
      return { type: first, number }
    case 'changed':
      return isHash(second) ? { type: first, hash: second } : undefined
    case 'compact': {
      const final = second?.startsWith('final-')
      const turn = final ? { turn: numberOf(second?.slice(6)), final } : { turn: number }
      return third === 'summary' || rest[0] === 'summary'
        ? { type: 'summary', ...turn, number: third === 'summary' ? 0 : numberOf(third) }
        : { type: 'compaction', ...turn, number: numberOf(third) }
    }
    case 'turn':
      return readTurn({ turn: number }, third, rest)
    case 'final':
      return readTurn({ turn: number, final: true }, third, rest)
  }
  return undefined
}

function readTurn(
  turn: InTurn,
  what: string | undefined,
  [call, detail, last]: readonly string[],
): RecordKey | undefined {
  if (what === undefined) return { type: 'turn', ...turn }
  if (what === 'not-run') return { type: what, ...turn }
  if (what !== 'call') return undefined
  const place = { ...turn, call: numberOf(call) }
  if (detail === undefined) return { type: 'call', ...place }
  if (detail === 'approval')
    return isHash(last) ? { type: detail, ...place, hash: last } : undefined
  return detail === 'again' || detail === 'question'
    ? { type: detail, ...place, number: numberOf(last) }
    : undefined
}

/**
 * Parses a printed number; a missing one is 0. Invalid numbers are detected because the result
 * prints differently.
 */
function numberOf(text = '0'): number {
  return /^\d{1,15}$/.test(text) ? Number(text) : 0
}

function isHash(text: string | undefined): text is string {
  return text !== undefined && /^\w+$/.test(text)
}

/** Prints a key as a part of an id, such as `turn-0`. */
export function printKeyInId(key: RecordKey): string {
  return printKey(key).replaceAll('/', '-')
}

/**
 * True if two printed keys differ only in their last part: the second record replaces the first.
 */
export function areAlternatives(one: string, other: string): boolean {
  const parent = one.slice(0, one.lastIndexOf('/') + 1)
  return one !== other && other.startsWith(parent)
}

/**
 * True if the record with the key `inner` is part of the step with the key `outer`. Both are in
 * stored form.
 */
export function isInside(inner: string, outer: string): boolean {
  return inner.startsWith(`${outer}/`)
}

/** The condition of `isInside` in SQL, for any database. Both arguments are SQL expressions. */
export function isInsideSql(inner: string, outer: string): string {
  return `substr(${inner}, 1, length(${outer}) + 1) = ${outer} || '/'`
}

/** A SQL expression for the key of the message with this number. */
export function messageKeySql(number: string): string {
  return `'message/' || ${number}`
}

/**
 * A SQL condition that is true for keys of messages: a range, so that the database can use an
 * index.
 */
export function isMessageKeySql(key: string): string {
  return `${key} >= 'message/' AND ${key} < 'message0'`
}

/** The key of the message with this number, counting from 0 in its run. */
export function messageKey(number: number): string {
  return printKey({ type: 'message', number })
}
