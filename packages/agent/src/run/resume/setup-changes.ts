import type { FileSystemView } from '@toolglot/permissions'
import type { RecordKey } from '../../journal/keys.ts'
import { unlessAborted } from '../../time/time-limit.ts'
import { isObject } from '../../tool/json-schema.ts'
import type { Answers, Question } from '../../tool/question.ts'
import { askOnce } from '../approval/ask-person.ts'
import type { LoopState } from '../state.ts'
import type { RunSetup } from './history.ts'

/** Describes the differences between the current setup of a run and the recorded one. */
export function describeChanges(before: RunSetup, now: RunSetup): string[] {
  return [
    ...(before.model === now.model ? [] : [`the model was ${before.model} and is ${now.model}`]),
    ...(before.protocol === now.protocol
      ? []
      : [`the protocol was ${before.protocol} and is ${now.protocol}`]),
    ...(before.cwd === undefined || before.cwd === now.cwd
      ? []
      : [`the working directory was ${before.cwd} and is ${now.cwd}`]),
    ...(before.host === undefined || before.host === now.host
      ? []
      : [`the machine was ${before.host} and is ${now.host ?? 'none'}`]),
    ...(before.version === undefined || before.version === now.version
      ? []
      : [`the version was ${before.version} and is ${now.version ?? 'not known'}`]),
    ...toolChanges(shapesOf(before), shapesOf(now)),
  ]
}

/** Describes added, removed and changed tools by name. */
function toolChanges(
  before: ReadonlyMap<string, string>,
  now: ReadonlyMap<string, string>,
): string[] {
  const names = [...new Set([...before.keys(), ...now.keys()])].sort()
  const changes = names.flatMap((name) => {
    if (before.get(name) === now.get(name)) return []
    if (!before.has(name)) return [`${name} is new`]
    return [now.has(name) ? `${name} takes other arguments` : `${name} is gone`]
  })
  const more = changes.length - MAX_NAMED
  const named = changes.slice(0, MAX_NAMED).join(', ')
  if (changes.length === 0) return []
  return [`the tools have changed: ${named}${more > 0 ? `, and ${more} more` : ''}`]
}

const MAX_NAMED = 5

/** The definitions of tools by name, without descriptions: rewording one does not change a tool. */
function shapesOf({ tools }: RunSetup): ReadonlyMap<string, string> {
  return new Map(
    tools.map((tool) => {
      // Records may contain any value.
      if (!isObject(tool)) return [JSON.stringify(tool), '']
      const { name, description: _, parameters, ...rest } = tool
      const shape = { ...rest, parameters: withoutDescriptions(parameters) }
      return [typeof name === 'string' ? name : JSON.stringify(name), JSON.stringify(shape)]
    }),
  )
}

/**
 * Removes the `description` keywords from a JSON Schema. Properties named `description` stay, and
 * so does data such as default values.
 */
function withoutDescriptions(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(withoutDescriptions)
  if (!isObject(schema)) return schema
  return Object.fromEntries(
    Object.entries(schema)
      .filter(([keyword]) => keyword !== 'description')
      .map(([keyword, value]) => {
        if (SCHEMAS.has(keyword)) return [keyword, withoutDescriptions(value)]
        if (!NAMED_SCHEMAS.has(keyword) || !isObject(value)) return [keyword, value]
        const named = Object.entries(value).map(([name, each]) => [name, withoutDescriptions(each)])
        return [keyword, Object.fromEntries(named)]
      }),
  )
}

/** Keywords whose value is a schema or a list of schemas. */
const SCHEMAS: ReadonlySet<string> = new Set([
  'additionalItems',
  'additionalProperties',
  'allOf',
  'anyOf',
  'contains',
  'contentSchema',
  'else',
  'if',
  'items',
  'not',
  'oneOf',
  'prefixItems',
  'propertyNames',
  'then',
  'unevaluatedItems',
  'unevaluatedProperties',
])

/** Keywords whose value contains schemas by name. */
const NAMED_SCHEMAS: ReadonlySet<string> = new Set([
  '$defs',
  'definitions',
  'dependencies',
  'dependentSchemas',
  'patternProperties',
  'properties',
])

/** The folder and machine on which a run works. */
interface RunPlace {
  /** The working directory. */
  readonly cwd?: string
  /** The machine. */
  readonly host?: string
}

/**
 * The place of a run with this file system. Uses the root rather than the current directory, which
 * commands may change.
 */
export function placeOf({ roots, cwd }: FileSystemView, host: string | undefined): RunPlace {
  return { cwd: roots[0] ?? cwd, ...(host !== undefined && { host }) }
}

/** True if a run has moved to another folder or machine. */
export function hasMoved(before: RunPlace | undefined, now: RunPlace): boolean {
  const isOther = (key: keyof RunPlace): boolean =>
    before?.[key] !== undefined && before[key] !== now[key]
  return isOther('cwd') || isOther('host')
}

/**
 * Decides if a run continues although its setup, such as the tools, has changed. The decision comes
 * from `confirm`, or from a person through the journal if `whenChanged` is `ask`.
 */
export async function confirmChanges(
  state: LoopState,
  changes: readonly string[],
): Promise<boolean> {
  const { confirm, whenChanged = 'leave' } = state.options
  if (confirm) return (await unlessAborted(state.signal, confirm(changes))) === true
  if (whenChanged !== 'ask') return whenChanged === 'continue'
  const { question, options } = questionAbout(changes)
  const { answers } = await askOnce(state, await keyOf(changes), {
    asked: {
      type: 'question',
      call: '',
      name: '',
      args: {},
      questions: [{ ...ABOUT, question, options }],
    },
    inside: undefined,
    read: (given) => ({ answers: { [question]: answerIn(given, question) } satisfies Answers }),
    signal: state.signal,
  })
  return answers[question] === CONTINUE
}

const ABOUT: Pick<Question, 'header'> = { header: 'Changed' }
const CONTINUE = 'Continue'
const LEAVE = 'Leave it'

function questionAbout(changes: readonly string[]): Pick<Question, 'question' | 'options'> {
  return {
    question: `The setup of this run has changed: ${changes.join('; ')}. Continue anyway?`,
    options: [
      { label: CONTINUE, description: 'Continue the run with the current setup' },
      { label: LEAVE, description: 'Leave it to a process that has the original setup' },
    ],
  }
}

/** Every answer except "Continue" leaves the run to other processes. */
function answerIn(given: unknown, question: string): string {
  const answer = typeof given === 'object' && given ? Object.entries(given) : []
  return answer.some(([asked, each]) => asked === question && each === CONTINUE) ? CONTINUE : LEAVE
}

/** Different changes have a different hash, so they lead to a new question. */
async function keyOf(changes: readonly string[]): Promise<RecordKey> {
  const bytes = new TextEncoder().encode(JSON.stringify(changes))
  const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes)).slice(0, 8)
  const text = [...hash].map((byte) => byte.toString(16).padStart(2, '0')).join('')
  return { type: 'changed', hash: text }
}
