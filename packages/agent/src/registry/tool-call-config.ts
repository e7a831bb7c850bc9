import { type Protocol, type ProtocolId, resolveProtocol } from '@toolglot/core'
import { checkFields } from '../options/check-fields.ts'
import {
  type FieldRules,
  flag,
  listOf,
  milliseconds,
  objectOf,
  objectRule,
  oneOf,
  positiveInteger,
  text,
} from '../options/rule.ts'
import { isObject } from '../tool/json-schema.ts'

/** How tools are called, as a person configures it. `resolveConfig` documents the effect of each setting. */
export interface ToolCallConfig {
  /** If false, there are no tools. */
  readonly enabled?: boolean | undefined
  /** Whether custom tools run without approval. Default: manual. */
  readonly mode?: 'auto' | 'manual' | undefined
  /**
   * Only these tools, each by its name, an alias, or the id of its toolkit. Names must exist. A built-in alias, such as
   * `read_file`, is offered in place of its tool.
   */
  readonly tools?: readonly string[] | undefined
  /** Whether a tool is enabled, by its name, an alias, or the id of its toolkit. */
  readonly toolToggles?: Readonly<Record<string, boolean>> | undefined
  /** Whether tools that neither `toolToggles` nor `tools` names are enabled. Default: true. */
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

/** Throws a TypeError if a configuration is invalid. Names of tools are not looked up. */
export function checkConfig(config: unknown): asserts config is ToolCallConfig {
  checkFields('the tool configuration', config, RULES)
  const { protocol } = config as ToolCallConfig
  if (typeof protocol === 'string') resolveProtocol(protocol)
}

const RULES: FieldRules<ToolCallConfig> = {
  enabled: flag,
  mode: oneOf('auto', 'manual'),
  tools: listOf(text, 'names of tools'),
  toolToggles: objectOf(flag, 'true or false by name'),
  defaultToolEnabled: flag,
  requireConfirmation: flag,
  parallelExecution: flag,
  maxIterations: positiveInteger,
  timeout: milliseconds,
  protocol: {
    expected: 'the id of a protocol, or a protocol',
    test: (value) => typeof value === 'string' || (isObject(value) && Array.isArray(value['call'])),
  },
  presets: objectOf(objectRule(), 'arguments by tool name'),
}
