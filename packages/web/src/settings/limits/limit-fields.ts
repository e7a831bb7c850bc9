/** The unit of a limit. Times are typed in seconds and stored in milliseconds. */
export type LimitUnit = 'turns' | 'calls' | 'times' | 'seconds' | 'tokens' | 'money' | 'characters'

/** A limit that can be set. */
export interface LimitField {
  readonly name: LimitName
  readonly unit: LimitUnit
  readonly least: number
  readonly most: number
}

const MAX_COUNT = 1_000_000
const MAX_SECONDS = Math.floor((2 ** 31 - 1) / 1000)

const FIELDS = {
  maxIterations: { unit: 'turns', least: 1, most: MAX_COUNT },
  maxToolCalls: { unit: 'calls', least: 1, most: MAX_COUNT },
  maxCallsPerTurn: { unit: 'calls', least: 1, most: MAX_COUNT },
  maxTokens: { unit: 'tokens', least: 1, most: MAX_COUNT },
  maxCost: { unit: 'money', least: 0, most: Infinity },
  runTimeout: { unit: 'seconds', least: 0, most: MAX_SECONDS },
  modelTimeout: { unit: 'seconds', least: 0, most: MAX_SECONDS },
  idleTimeout: { unit: 'seconds', least: 0, most: MAX_SECONDS },
  toolTimeout: { unit: 'seconds', least: 0, most: MAX_SECONDS },
  approvalTimeout: { unit: 'seconds', least: 0, most: MAX_SECONDS },
  maxRetries: { unit: 'times', least: 0, most: 100 },
  maxRepeats: { unit: 'times', least: 1, most: MAX_COUNT },
  maxMalformed: { unit: 'turns', least: 1, most: MAX_COUNT },
  maxEmpty: { unit: 'times', least: 1, most: MAX_COUNT },
  maxReply: { unit: 'characters', least: 1, most: 16 << 20 },
  maxResult: { unit: 'characters', least: 1, most: MAX_COUNT },
} as const satisfies Record<string, Omit<LimitField, 'name'>>

/** The name of a limit. */
export type LimitName = keyof typeof FIELDS

const fieldsOf = (...names: readonly LimitName[]): readonly LimitField[] =>
  names.map((name) => ({ name, ...FIELDS[name] }))

/** The limits in groups, most frequently changed first. */
export const LIMIT_GROUPS = [
  { id: 'run', fields: fieldsOf('maxIterations', 'maxToolCalls', 'maxCallsPerTurn') },
  {
    id: 'time',
    fields: fieldsOf('toolTimeout', 'modelTimeout', 'idleTimeout', 'approvalTimeout', 'runTimeout'),
  },
  { id: 'cost', fields: fieldsOf('maxTokens', 'maxCost') },
  { id: 'problems', fields: fieldsOf('maxMalformed', 'maxRepeats', 'maxEmpty', 'maxRetries') },
  { id: 'size', fields: fieldsOf('maxResult', 'maxReply') },
] as const

/** The limits as typed. An empty field is the default. */
export type LimitsDraft = Readonly<Partial<Record<LimitName, string>>>

/** The field texts for stored limits. */
export function draftOf(limits: unknown): LimitsDraft {
  const kept = typeof limits === 'object' && limits !== null ? limits : {}
  return Object.fromEntries(
    Object.entries(kept).flatMap(([name, value]) =>
      name in FIELDS && typeof value === 'number' ? [[name, typed(name as LimitName, value)]] : [],
    ),
  )
}

/** A limit as field text. */
export function typed(name: LimitName, value: number): string {
  return String(FIELDS[name].unit === 'seconds' ? value / 1000 : value)
}

/** Why the typed text is not a valid limit. */
export type LimitFault =
  | { readonly kind: 'number' }
  | { readonly kind: 'whole' }
  | { readonly kind: 'range'; readonly least: number; readonly most: number }
  | { readonly kind: 'positive' }

/** The typed limit in its stored unit; undefined for the default. */
export function readLimit(
  { unit, least, most }: LimitField,
  text: string,
): { readonly value: number | undefined } | { readonly fault: LimitFault } {
  const given = text.trim()
  if (given === '') return { value: undefined }
  const value = /^[+-]?(?:\d+\.?\d*|\.\d+)$/.test(given) ? Number(given) : Number.NaN
  if (!Number.isFinite(value)) return { fault: { kind: 'number' } }
  if (unit === 'money') return value > 0 ? { value } : { fault: { kind: 'positive' } }
  const kept = unit === 'seconds' ? Math.round(value * 1000) : value
  if (unit === 'seconds' && kept < 1) return { fault: { kind: 'positive' } }
  if (!Number.isSafeInteger(kept)) return { fault: { kind: 'whole' } }
  return value < least || value > most ? { fault: { kind: 'range', least, most } } : { value: kept }
}

/** The limits to store, or the faults by field. Unknown limits are kept. */
export function readLimits(
  draft: LimitsDraft,
  before: unknown,
): {
  readonly limits: Readonly<Record<string, unknown>>
  readonly faults: Readonly<Partial<Record<LimitName, LimitFault>>>
} {
  const kept = typeof before === 'object' && before !== null ? before : {}
  const limits: Record<string, unknown> = Object.fromEntries(
    Object.entries(kept).filter(([name]) => !(name in FIELDS)),
  )
  const faults: Partial<Record<LimitName, LimitFault>> = {}
  for (const field of LIMIT_GROUPS.flatMap(({ fields }) => fields)) {
    const read = readLimit(field, draft[field.name] ?? '')
    if ('fault' in read) faults[field.name] = read.fault
    else if (read.value !== undefined) limits[field.name] = read.value
  }
  return { limits, faults }
}
