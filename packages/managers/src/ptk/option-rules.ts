import { type FieldRules, isObject, rules } from '@toolglot/agent/internal'
import type { PTKExecuteOptions, PTKManagerConfig } from './types.ts'

const { flag, functionRule, milliseconds, orInfinity, positiveInteger, text, wholeNumber } = rules

const tool = {
  expected: '',
  test: (value: unknown) => text.test(value) || (isObject(value) && text.test(value['name'])),
}

/** What options must be. */
export const optionRules: FieldRules<PTKExecuteOptions> = {
  tools: rules.listOf(tool, 'tools, or names of tools'),
  maxIterations: orInfinity(positiveInteger),
  maxToolCalls: orInfinity(wholeNumber),
  timeout: orInfinity(milliseconds),
  onIteration: functionRule,
  onToolCall: functionRule,
  onError: functionRule,
  onDuplicateDetected: functionRule,
  model: text,
  temperature: rules.finiteNumber,
  detectDuplicates: flag,
  duplicateWindow: positiveInteger,
  onMalformed: rules.oneOf('fail', 'feedback', 'text'),
  signal: rules.signalRule,
}

/** What a configuration must be. */
export const configRules: FieldRules<PTKManagerConfig> = {
  defaultMaxIterations: optionRules.maxIterations,
  defaultTimeout: optionRules.timeout,
  enableLogging: flag,
  retryFailedTools: flag,
  maxToolRetries: wholeNumber,
}
