import { checkFields, type FieldOptions } from '../options/check-fields.ts'
import { limitAdvice, limitRules } from '../options/check-limits.ts'
import {
  type FieldRules,
  finiteNumber,
  flag,
  functionRule,
  journalRule,
  listOf,
  modelRule,
  objectRule,
  oneOf,
  positiveInteger,
  required,
  type Rule,
  signalRule,
  text,
  wholeNumber,
} from '../options/rule.ts'
import { toolSelectionRules } from '../registry/registry-of.ts'
import { isObject } from '../tool/json-schema.ts'
import type { CallOptions, DuplicateOptions } from './calls/call-options.ts'
import type { CycleOptions } from './cycle.ts'
import type { ForkOptions, RunOptions } from './options.ts'
import type { TurnOptions } from './turn.ts'
import type { RequestOptions } from './turn/request-options.ts'

/** Throws a TypeError if an option of `run` is unknown, misspelt, missing or invalid. */
export function checkRunOptions(options: unknown): asserts options is RunOptions {
  checkFields('the options of run', options, runRules, advice)
}

/** Throws a TypeError if an option of `turn` is unknown, misspelt, missing or invalid. */
export function checkTurnOptions(options: unknown): asserts options is TurnOptions {
  checkFields('the options of turn', options, turnRules, advice)
}

/** Throws a TypeError if an option of `cycle` is unknown, misspelt, missing or invalid. */
export function checkCycleOptions(options: unknown): asserts options is CycleOptions {
  checkFields('the options of cycle', options, cycleRules, advice)
}

/** Names that others use, and limits that are given as options. */
const advice: FieldOptions = {
  advice: {
    ...limitAdvice,
    maxSteps: 'It is called maxIterations, and belongs in limits.',
    maxTurns: 'It is called maxIterations, and belongs in limits.',
    timeout: 'Set runTimeout, modelTimeout or toolTimeout in limits.',
    abortSignal: 'It is called signal.',
    tool_choice: 'It is called toolChoice.',
    max_tokens: 'It is called maxOutputTokens.',
    onApproval: 'It is called approve.',
  },
}

const protocol: Rule = {
  expected: 'a protocol, its id, or "native"',
  test: (value) => typeof value === 'string' || (isObject(value) && Array.isArray(value['call'])),
}

const messages: Rule = listOf(
  {
    expected: 'a message',
    test: (value) => isObject(value) && ROLES.includes(value['role']),
  },
  `messages, each with a role: ${['system', 'user', 'assistant', 'results'].join(', ')}`,
)

const ROLES: readonly unknown[] = ['system', 'user', 'assistant', 'results']

const prompts = { prompt: text, system: text, messages }

const requestRules: FieldRules<RequestOptions> = {
  protocol,
  toolsIn: oneOf('prompt', 'request'),
  toolChoice: {
    expected: '"auto", "none", "required" or { name }',
    test: (value) =>
      ['auto', 'none', 'required'].includes(value as string) ||
      (isObject(value) && typeof value['name'] === 'string'),
  },
  prefill: text,
  grammar: objectRule({ syntax: required(oneOf('gbnf', 'lark')), text: required(text) }),
  responseFormat: objectRule({
    type: required(oneOf('text', 'json')),
    schema: objectRule(),
    name: text,
  }),
  temperature: finiteNumber,
  topP: finiteNumber,
  seed: wholeNumber,
  maxOutputTokens: positiveInteger,
  stop: listOf(text, 'texts'),
  body: objectRule(),
  stopAtFirstCall: flag,
  resultRole: oneOf('user', 'tool', 'system'),
  parser: objectRule({ prefix: text, startsInReasoning: flag, repairs: flag }),
}

const duplicateRules: FieldRules<DuplicateOptions> = {
  detect: flag,
  window: positiveInteger,
  on: oneOf('reuse', 'warn'),
}

const callRules: FieldRules<CallOptions> = {
  ...toolSelectionRules,
  // The keys of permissions are checked with the rules in them.
  permissions: objectRule(),
  fileSystem: objectRule(),
  limits: objectRule(limitRules),
  approve: functionRule,
  remember: functionRule,
  ask: functionRule,
  duplicates: objectRule(duplicateRules),
  untrusted: listOf(text, 'texts'),
  signal: signalRule,
}

const forkRules: FieldRules<ForkOptions> = { run: required(text), turn: wholeNumber }

const runRules: FieldRules<RunOptions> = {
  model: required(modelRule),
  ...prompts,
  ...requestRules,
  ...callRules,
  journal: journalRule,
  id: text,
  resume: flag,
  release: signalRule,
  onWait: oneOf('wait', 'suspend'),
  fork: objectRule(forkRules),
  owner: text,
  attended: flag,
  confirm: functionRule,
  onMalformed: oneOf('feedback', 'text', 'fail'),
  finalizeOnLimit: flag,
}

const { maxReply, maxRetries, modelTimeout, idleTimeout } = limitRules

const turnRules: FieldRules<TurnOptions> = {
  model: required(modelRule),
  ...prompts,
  ...requestRules,
  tools: {
    expected: 'a registry, or a list of tools, definitions or names',
    test: (value) => isObject(value) || Array.isArray(value),
  },
  registry: toolSelectionRules.registry,
  limits: objectRule({ maxReply, maxRetries, modelTimeout, idleTimeout }),
  retryReplies: flag,
  signal: signalRule,
}

const cycleRules: FieldRules<CycleOptions> = {
  ...callRules,
  reply: required({
    expected: 'what turn() or parse() returns: an object with calls',
    test: (value) => isObject(value) && Array.isArray(value['calls']),
  }),
  messages,
  protocol,
  id: text,
}
