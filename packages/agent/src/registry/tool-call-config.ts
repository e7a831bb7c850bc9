import { type Protocol, type ProtocolId, resolveProtocol } from '@toolglot/core'
import { nearest } from '@toolglot/permissions/internal'
import { isObject } from '../tool/json-schema.ts'
import { describeValue } from '../tool/describe-value.ts'

/** How tools are called, as a person configures it. `resolveConfig` documents the effect of each setting. */
export interface ToolCallConfig {
  /** If false, there are no tools. */
  readonly enabled?: boolean | undefined
  /** Whether custom tools run without approval. Default: manual. */
  readonly mode?: 'auto' | 'manual' | undefined
  /** Whether a tool is enabled, by its name, an alias, or the id of its toolkit. */
  readonly toolToggles?: Readonly<Record<string, boolean>> | undefined
  /** Whether tools that `toolToggles` does not name are enabled. Default: true. */
  readonly defaultToolEnabled?: boolean | undefined
  /** Whether every call needs approval. Default: false. */
  readonly requireConfirmation?: boolean | undefined
  /** Whether read-only calls run in parallel. Default: true. */
  readonly parallelExecution?: boolean | undefined
  /** How many turns the model may take. */
  readonly maxIterations?: number | undefined
  /** For each call, in milliseconds. */
  readonly timeout?: number | undefined
  /** The id of a protocol, or a custom protocol. */
  readonly protocol?: ProtocolId | Protocol | undefined
  /** Arguments by tool name, for those that a call does not set. They override the defaults of the schema. */
  readonly presets?: Readonly<Record<string, Readonly<Record<string, unknown>>>> | undefined
}

/** Throws if a configuration is invalid. */
export function checkConfig(config: unknown): asserts config is ToolCallConfig {
  if (!isObject(config))
    throw new TypeError(`Expected a configuration, got ${describeValue(config)}.`)
  for (const [key, value] of Object.entries(config)) {
    if (!Object.hasOwn(RULES, key)) throw new TypeError(unknownKey(key))
    const [expected, test] = RULES[key as keyof ToolCallConfig]
    if (value !== undefined && !test(value))
      throw new TypeError(`Expected ${key} to be ${expected}, got ${describeValue(value)}.`)
  }
  if (typeof config['protocol'] === 'string') resolveProtocol(config['protocol'] as ProtocolId)
}

type Rule = readonly [expected: string, test: (value: unknown) => boolean]

const flag: Rule = ['true or false', (value) => typeof value === 'boolean']

const RULES: Readonly<Record<keyof ToolCallConfig, Rule>> = {
  enabled: flag,
  mode: ['"auto" or "manual"', (value) => value === 'auto' || value === 'manual'],
  toolToggles: [
    'an object with true or false by name',
    (value) => isObject(value) && Object.values(value).every((on) => typeof on === 'boolean'),
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
    (value) => typeof value === 'string' || (isObject(value) && Array.isArray(value['call'])),
  ],
  presets: [
    'an object with arguments by tool name',
    (value) => isObject(value) && Object.values(value).every(isObject),
  ],
}

function unknownKey(key: string): string {
  const keys = Object.keys(RULES)
  const [close] = nearest(key, keys)
  const advice = close === undefined ? `Known keys: ${keys.join(', ')}.` : `Did you mean ${close}?`
  return `Unknown key ${describeValue(key)} in the tool configuration. ${advice}`
}
