import { checkFields, type FieldOptions } from '../options/check-fields.ts'
import { limitAdvice, limitRules } from '../options/limit-rules.ts'
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
  { expected: 'a message', test: isMessage },
  'messages: { role: "system", "user" or "assistant", content } or { role: "results", results }',
)

function isMessage(value: unknown): boolean {
  if (!isObject(value)) return false
  const { role, content, results } = value
  if (role === 'results') return Array.isArray(results)
  if (role === 'user' && Array.isArray(content)) return true
  return ['system', 'user', 'assistant'].includes(role as string) && typeof content === 'string'
}

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
  temperature: {
    expected: 'a number, 0 or more',
    test: (value) => finiteNumber.test(value) && Number(value) >= 0,
  },
  topP: {
    expected: 'a number from 0 to 1',
    test: (value) => finiteNumber.test(value) && Number(value) >= 0 && Number(value) <= 1,
  },
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

const someText: Rule = {
  expected: 'a string that is not empty',
  test: (value) => typeof value === 'string' && value !== '',
}

const forkRules: FieldRules<ForkOptions> = { run: required(someText), turn: wholeNumber }

const runRules: FieldRules<RunOptions> = {
  model: required(modelRule),
  ...prompts,
  ...requestRules,
  ...callRules,
  journal: journalRule,
  id: someText,
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
    ...toolSelectionRules.tools,
    expected: 'a registry, or a list of tools, definitions or names',
  },
  registry: toolSelectionRules.registry,
  limits: objectRule({ maxReply, maxRetries, modelTimeout, idleTimeout }),
  retryReplies: flag,
  signal: signalRule,
}

const cycleRules: FieldRules<CycleOptions> = {
  ...callRules,
  reply: required({
    expected: 'what turn() or parse() returns, or { calls }, each with a name and args',
    test: (value) =>
      isObject(value) && Array.isArray(value['calls']) && value['calls'].every(isCall),
  }),
  messages,
  protocol,
  id: someText,
}

function isCall(value: unknown): boolean {
  return isObject(value) && typeof value['name'] === 'string' && isObject(value['args'])
}
