/** The key of a record, taken apart: what the record is about. Texts of keys are printed and parsed here only. */
export type RecordKey =
  | { readonly type: Numbered; readonly number: number }
  /** The question whether a run continues although its setup has changed. */
  | { readonly type: 'changed'; readonly hash: string }
  | TurnKey
  /** Calls of a turn that were not run. */
  | (InTurn & { readonly type: 'not-run' })
  | CompactionKey
  | SummaryKey
  | CallKey
  /** Another beginning of a call that had begun before and was not done. */
  | (InCall & { readonly type: 'again'; readonly number: number })
  | (InCall & { readonly type: 'approval'; readonly hash: string })
  | (InCall & { readonly type: 'question'; readonly number: number })

/** A reply of the model. */
export type TurnKey = InTurn & { readonly type: 'turn' }

/** The history before a turn was shortened: several times, if the turn failed or once was not enough. */
export type CompactionKey = InTurn & { readonly type: 'compaction'; readonly number: number }

/** The summary that the model wrote for a compaction. */
export type SummaryKey = InTurn & { readonly type: 'summary'; readonly number: number }

/** A call, and its outcome. */
export type CallKey = InCall & { readonly type: 'call' }

/** Records of which a run has several: a setup, a resumption, a message that it read, a late outcome, an end, or a message sent to it. */
type Numbered = 'setup' | 'resume' | 'input' | 'late' | 'end' | 'message'

export interface InTurn {
  readonly turn: number
  /** A last turn without tools, at a limit. These have numbers of their own. */
  readonly final?: true
}

interface InCall extends InTurn {
  /** The place of the call in its turn. */
  readonly call: number
}

/** Prints a key as it is stored. */
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

/** Parses a key. Undefined if it is not exactly what `printKey` prints for some key. */
export function parseKey(text: string): RecordKey | undefined {
  const [first = '', ...rest] = text.split('/', MAX_PARTS)
  const key = read(first, rest)
  return key && printKey(key) === text ? key : undefined
}

/** One more than the longest key has, so that longer texts are not keys. */
const MAX_PARTS = 7

/** Reads a text that may be a key. Only if the result prints as the same text, it is one. */
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

/** Reads a printed number; 0 if there is none. For other texts, the result prints differently. */
function numberOf(text = '0'): number {
  return /^\d{1,15}$/.test(text) ? Number(text) : 0
}

function isHash(text: string | undefined): text is string {
  return text !== undefined && /^\w+$/.test(text)
}

/** The key as a part of an id, such as `turn-0`. */
export function printKeyInId(key: RecordKey): string {
  return printKey(key).replaceAll('/', '-')
}

/** Whether two keys, printed, differ only in their last part: the second one replaced the first. */
export function areAlternatives(one: string, other: string): boolean {
  const parent = one.slice(0, one.lastIndexOf('/') + 1)
  return one !== other && other.startsWith(parent)
}

/** Whether the record with the key `inner` is part of the step with the key `outer`, both as they are stored. */
export function isInside(inner: string, outer: string): boolean {
  return inner.startsWith(`${outer}/`)
}

/** The same in SQL, for any database. Both are expressions. */
export function isInsideSql(inner: string, outer: string): string {
  return `substr(${inner}, 1, length(${outer}) + 1) = ${outer} || '/'`
}

/** SQL for the key of the message with a number. */
export function messageKeySql(number: string): string {
  return `'message/' || ${number}`
}

/** SQL for whether a key is that of a message: a range, so that an index is used. */
export function isMessageKeySql(key: string): string {
  return `${key} >= 'message/' AND ${key} < 'message0'`
}

/** The key of a message, counted from 0 in its run. */
export function messageKey(number: number): string {
  return printKey({ type: 'message', number })
}
