import { type Protocol, protocols } from '@toolglot/core'
import { nearest } from '@toolglot/permissions/internal'
import { describeValue } from '../tool/describe-value.ts'

/** How tools are called, as a person sets it. What each comes to here stands in `meaning.ts`. */
export interface ToolCallConfig {
  /** False: there are no tools. */
  readonly enabled?: boolean | undefined
  readonly mode?: 'auto' | 'manual' | undefined
  /** By the name of a tool, an alias, or the id of a toolkit. */
  readonly toolToggles?: Readonly<Record<string, boolean>> | undefined
  /** Whether tools are on that `toolToggles` does not name; true if not told. */
  readonly defaultToolEnabled?: boolean | undefined
  readonly requireConfirmation?: boolean | undefined
  readonly parallelExecution?: boolean | undefined
  readonly maxIterations?: number | undefined
  /** For each call, in milliseconds. */
  readonly timeout?: number | undefined
  /** The id of a protocol; or one of your own. */
  readonly protocol?: string | Protocol | undefined
  /** Arguments by the name of a tool: they count where a call says nothing, and before the schema's own. */
  readonly presets?: Readonly<Record<string, Readonly<Record<string, unknown>>>> | undefined
}

/** Throws where a configuration is not what it should be. */
export function checkConfig(config: unknown): asserts config is ToolCallConfig {
  if (!isRecord(config)) throw new TypeError(`Expected a configuration, got ${describeValue(config)}.`)
  for (const [key, value] of Object.entries(config)) {
    if (!Object.hasOwn(RULES, key)) throw new TypeError(unknownKey(key))
    const [expected, test] = RULES[key as keyof ToolCallConfig]
    if (value !== undefined && !test(value))
      throw new TypeError(`Expected ${key} to be ${expected}, got ${describeValue(value)}.`)
  }
  if (typeof config['protocol'] === 'string') findProtocol(config['protocol'])
}

/** A protocol by its id. */
export function findProtocol(id: string): Protocol {
  if (Object.hasOwn(protocols, id)) return protocols[id]!
  const ids = Object.keys(protocols)
  const [close] = nearest(id, ids)
  const advice = close === undefined ? `There are ${ids.join(', ')}.` : `Did you mean ${close}?`
  throw new TypeError(`There is no protocol ${describeValue(id)}. ${advice}`)
}

type Rule = readonly [expected: string, test: (value: unknown) => boolean]

const flag: Rule = ['true or false', (value) => typeof value === 'boolean']

const RULES: Readonly<Record<keyof ToolCallConfig, Rule>> = {
  enabled: flag,
  mode: ['"auto" or "manual"', (value) => value === 'auto' || value === 'manual'],
  toolToggles: [
    'an object of true and false by name',
    (value) => isRecord(value) && Object.values(value).every((on) => typeof on === 'boolean'),
  ],
  defaultToolEnabled: flag,
  requireConfirmation: flag,
  parallelExecution: flag,
  maxIterations: [
    'a positive whole number',
    (value) => Number.isSafeInteger(value) && Number(value) > 0,
  ],
  timeout: [
    'a positive number of milliseconds',
    (value) => typeof value === 'number' && Number.isFinite(value) && value > 0,
  ],
  protocol: [
    'the id of a protocol, or a protocol',
    (value) => typeof value === 'string' || (isRecord(value) && Array.isArray(value['call'])),
  ],
  presets: [
    'an object of arguments by the name of a tool',
    (value) => isRecord(value) && Object.values(value).every(isRecord),
  ],
}

function unknownKey(key: string): string {
  const keys = Object.keys(RULES)
  const [close] = nearest(key, keys)
  const advice = close === undefined ? `Known: ${keys.join(', ')}.` : `Did you mean ${close}?`
  return `Unknown key ${describeValue(key)} in the configuration of tools. ${advice}`
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
