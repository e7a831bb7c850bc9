import { withoutUndefined } from '../options/without-undefined.ts'
import { addUsage, type Usage } from '../model/usage.ts'
import type { JournalRecord, RecordKind } from './journal.ts'
import { parseKey } from './keys.ts'

/** The summary of a run, for lists. */
export interface RunSummary {
  readonly run: string
  /** The display name of the run. */
  readonly name: string | undefined
  /** The start of the first user message. */
  readonly prompt: string | undefined
  readonly model: string | undefined
  /** The working directory. */
  readonly folder: string | undefined
  /** The id of the protocol; `native` for native function calling. */
  readonly protocol: string | undefined
  /** The owner of the run, if it has one. */
  readonly owner: string | undefined
  /** The total over all turns. */
  readonly usage: Usage
  /** The source of a fork, and the first turn of the fork itself. */
  readonly forkOf: ForkSource | undefined
  /** The time of its first record, in milliseconds since 1970. */
  readonly started: number
  /** The time of its last record. */
  readonly last: number
  /** The number of recorded turns of the model. */
  readonly turns: number
  readonly state: RunState
  /** The reason why it ended, if it is finished. */
  readonly reason: string | undefined
  /** True if the run was recorded elsewhere. */
  readonly imported: boolean
}

/** The point at which a fork starts. */
export interface ForkSource {
  readonly run: string
  /** The first turn that is not copied. */
  readonly turn: number
}

/**
 * `interrupted`: not finished, and no process has it open. `corrupt`: records are lost, so it
 * cannot resume.
 */
export type RunState = 'running' | 'waiting' | 'finished' | 'interrupted' | 'corrupt'

/** The facts that a record contributes to the summary of its run. */
export interface RunFacts {
  readonly prompt?: string
  readonly model?: string
  readonly folder?: string
  readonly protocol?: string
  /** The machine on which its tools run. */
  readonly host?: string
  readonly owner?: string
  /** The version of the program and its tools. */
  readonly version?: string
  readonly forkOf?: ForkSource
  readonly usage?: Usage
  readonly turns?: 1
  readonly reason?: string
}

/**
 * Reads the facts in a record. The first setup comes first, and a run may resume after an end.
 * Records may contain any value. Most records have no facts for the summary, and their values are
 * not parsed.
 */
export function readRunFacts(record: Omit<JournalRecord, 'time'>): RunFacts {
  const key = record.kind === 'value' ? parseKey(record.key) : undefined
  const value = (): Fields => fieldsOf(record.value)
  switch (key?.type) {
    case 'setup':
      return setupFacts(value(), key.number === 0)
    case 'turn':
      return { ...(!key.final && { turns: 1 }), ...usageFacts(value()) }
    case 'summary':
      return usageFacts(value())
    case 'end':
      return { reason: shortText(value()['reason']) ?? 'unknown' }
    default:
      return {}
  }
}

function usageFacts({ usage }: Fields): RunFacts {
  return withoutUndefined({ usage: usageOf(usage) })
}

function setupFacts(fields: Fields, isFirst: boolean): RunFacts {
  const setup = {
    folder: text(fields['cwd'], 4096),
    protocol: shortText(fields['protocol']),
    host: text(fields['host'], MAX_LENGTH),
    version: text(fields['version'], MAX_LENGTH),
  }
  if (!isFirst) return withoutUndefined(setup)
  const messages = Array.isArray(fields['messages']) ? fields['messages'].map(fieldsOf) : []
  return withoutUndefined({
    ...setup,
    prompt: promptOf(messages.find(({ role }) => role === 'user')?.['content']) || undefined,
    model: shortText(fields['model']) || undefined,
    owner: text(fields['owner'], 500),
    forkOf: forkSourceOf(fieldsOf(fields['forkOf'])),
  })
}

/** The facts in all records of a run so far. */
export interface RunTotals extends Omit<RunFacts, 'usage' | 'turns'> {
  readonly usage: Usage
  readonly turns: number
}

/**
 * Adds the facts of the next record. The first prompt and model are kept, but the last folder,
 * protocol, machine and version.
 */
export function addFacts(
  totals: RunTotals,
  { usage, turns, reason, ...facts }: RunFacts,
  kind: RecordKind,
): RunTotals {
  const { folder, protocol, host, version } = facts
  const { reason: reasonBefore, ...before } = totals
  const reasonNow = FROM_OUTSIDE.includes(kind) ? reasonBefore : reason
  return {
    ...facts,
    ...before,
    ...withoutUndefined({ folder, protocol, host, version, reason: reasonNow }),
    usage: usage ? addUsage(totals.usage, usage) : totals.usage,
    turns: totals.turns + (turns ?? 0),
  }
}

/**
 * Converts a row of a table of runs. Besides the columns of the table, `waits` is true if the run
 * is waiting for an answer, and `held` if a process is executing it. Databases represent true as
 * `true` or 1.
 */
export function summaryOfRow(row: Fields): RunSummary {
  const text = (name: string): string | undefined => (row[name] as string | null) ?? undefined
  const number = (name: 'cached' | 'reasoning' | 'cost'): object =>
    row[name] === null ? {} : { [name]: Number(row[name]) }
  const forkRun = text('fork_run')
  return {
    run: String(row['run']),
    name: text('name'),
    prompt: text('prompt'),
    model: text('model'),
    folder: text('folder'),
    protocol: text('protocol'),
    owner: text('owner'),
    usage: {
      input: Number(row['input']),
      output: Number(row['output']),
      ...number('cached'),
      ...number('reasoning'),
      ...number('cost'),
      ...(isTrue(row['estimated']) && { estimated: true }),
    },
    forkOf: forkRun === undefined ? undefined : { run: forkRun, turn: Number(row['fork_turn']) },
    started: Number(row['started']),
    last: Number(row['last']),
    turns: Number(row['turns']),
    state: stateOfRow(row),
    reason: text('reason'),
    imported: isTrue(row['imported']),
  }
}

function stateOfRow({ damage = null, reason, waits, held }: Fields): RunState {
  if (damage !== null) return 'corrupt'
  if (reason !== null) return 'finished'
  if (isTrue(waits)) return 'waiting'
  return isTrue(held) ? 'running' : 'interrupted'
}

function isTrue(value: unknown): boolean {
  return value === true || value === 1
}

/** The kinds of records that come from outside a run. They neither end nor continue it. */
export const FROM_OUTSIDE: readonly RecordKind[] = ['answer', 'message']

const MAX_LENGTH = 200

/** The text of a prompt, which may consist of several parts. */
function promptOf(content: unknown): string | undefined {
  if (!Array.isArray(content)) return shortText(content)
  const texts = content.map((part) => fieldsOf(part)['text'])
  return shortText(texts.filter((each) => typeof each === 'string').join('\n\n'))
}

/** The start of a string, without splitting a surrogate pair. */
export function shortText(value: unknown): string | undefined {
  return typeof value === 'string' ? value.slice(0, MAX_LENGTH).replace(/\p{Cs}/gu, '') : undefined
}

/** A string whose meaning would change if it were truncated. Undefined if it is too long. */
function text(value: unknown, maxLength: number): string | undefined {
  return typeof value === 'string' && value.length <= maxLength && !/\p{Cs}/u.test(value)
    ? value
    : undefined
}

function usageOf(value: unknown): Usage | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  const fields = fieldsOf(value)
  const count = (key: string): number | undefined => {
    const number = fields[key]
    return typeof number === 'number' && number >= 0 && number <= Number.MAX_SAFE_INTEGER
      ? number
      : undefined
  }
  return {
    input: count('input') ?? 0,
    output: count('output') ?? 0,
    ...withoutUndefined({
      cached: count('cached'),
      reasoning: count('reasoning'),
      cost: count('cost'),
      estimated: fields['estimated'] === true ? true : undefined,
    }),
  }
}

function forkSourceOf({ run, turn }: Fields): ForkSource | undefined {
  const source = text(run, MAX_LENGTH)
  return source !== undefined && Number.isSafeInteger(turn) && Number(turn) >= 0
    ? { run: source, turn: Number(turn) }
    : undefined
}

/** Fields with unknown values. */
export type Fields = Partial<Record<string, unknown>>

/** The fields of an unknown value. */
export function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null ? value : {}
}
