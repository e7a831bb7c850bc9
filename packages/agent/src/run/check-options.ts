import { PERMISSION_MODES } from '@toolglot/permissions'
import { checkFields } from '../options/check-fields.ts'
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
  defined,
  milliseconds,
  orInfinity,
  positiveNumber,
} from '../options/rule.ts'
import { toolSelectionRules } from '../registry/registry-of.ts'
import { isObject } from '../tool/json-schema.ts'
import { checkMessageList, content } from './messages.ts'
import type { CallOptions, DuplicateOptions, ForkOptions, RunOptions } from './options.ts'
import type { CycleOptions } from './cycle.ts'
import type { TurnOptions } from './turn.ts'
import type { RequestOptions } from './turn/request-options.ts'
import type { Limits } from '../limits.ts'

/** Throws a TypeError if an option of `run` is unknown, misspelled, missing or invalid. */
export function checkRunOptions(options: unknown): asserts options is RunOptions {
  checkFields('the options of run', options, runRules, { advice: { ...limitAdvice, ...ADVICE } })
  checkMessageList(messagesIn(options))
}

/** Throws a TypeError if an option of `turn` is unknown, misspelled, missing or invalid. */
export function checkTurnOptions(options: unknown): asserts options is TurnOptions {
  checkFields('the options of turn', options, turnRules, { advice: TURN_ADVICE })
  checkMessageList(messagesIn(options))
}

/** Throws a TypeError if an option of `cycle` is unknown, misspelled, missing or invalid. */
export function checkCycleOptions(options: unknown): asserts options is CycleOptions {
  checkFields('the options of cycle', options, cycleRules, {
    advice: { ...limitAdvice, ...ADVICE },
  })
  checkMessageList(messagesIn(options))
}

function messagesIn(options: unknown): readonly unknown[] {
  return (options as { readonly messages?: readonly unknown[] }).messages ?? []
}

// An undefined limit would never be reached, so it must be defined.
const positive = defined(orInfinity(positiveInteger))
const zeroOrMore = defined(orInfinity(wholeNumber))
const time = defined(orInfinity(milliseconds))

/** The rules for the limits of a run. Those that may be undefined have no default. */
export const limitRules: FieldRules<Limits> = {
  maxIterations: positive,
  maxToolCalls: zeroOrMore,
  maxCallsPerTurn: positive,
  maxMalformed: positive,
  maxEmpty: zeroOrMore,
  maxRepeats: positive,
  maxRetries: zeroOrMore,
  runTimeout: orInfinity(milliseconds),
  modelTimeout: orInfinity(milliseconds),
  idleTimeout: time,
  toolTimeout: time,
  approvalTimeout: orInfinity(milliseconds),
  maxTokens: orInfinity(positiveInteger),
  maxCost: orInfinity(positiveNumber),
  maxReply: positive,
  maxResult: positive,
}

/** Advice for limits that are passed outside of `limits`. */
export const limitAdvice: Readonly<Record<string, string>> = Object.fromEntries(
  Object.keys(limitRules).map((key) => [key, `Put it in limits: { ${key}: … }.`]),
)

const maxOutputTokens = 'For the length of a reply, it is called maxOutputTokens.'

/** Advice for names from other libraries and limits in the wrong place. */
const ADVICE: Readonly<Record<string, string>> = {
  maxTokens: `Put it in limits: { maxTokens: … }. ${maxOutputTokens}`,
  maxSteps: 'Use limits: { maxIterations: … } instead.',
  maxTurns: 'Use limits: { maxIterations: … } instead.',
  timeout: 'Set runTimeout, modelTimeout or toolTimeout in limits.',
  abortSignal: 'Use signal instead.',
  tool_choice: 'Use toolChoice instead.',
  max_tokens: maxOutputTokens,
  onApproval: 'Use approve instead.',
}

const protocol: Rule = {
  expected: 'a protocol, its id, or "native"',
  test: (value) => typeof value === 'string' || (isObject(value) && Array.isArray(value['call'])),
}

/** Each message is checked separately, so that an error can point to it. */
const messages: Rule = listOf({ expected: 'anything', test: () => true }, 'messages')

const prompts = { prompt: content, system: text, messages }

const telemetry: Rule = objectRule({ agent: text, content: flag })

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
  alternate: flag,
  parser: objectRule({ prefix: text, startsInReasoning: flag, repairs: flag }),
  telemetry,
}

const duplicateRules: FieldRules<DuplicateOptions> = {
  detect: flag,
  window: positiveInteger,
  on: oneOf('reuse', 'warn'),
  warning: functionRule,
}

const callRules: FieldRules<CallOptions> = {
  ...toolSelectionRules,
  // The keys of permissions are checked together with their rules.
  permissions: objectRule(),
  fileSystem: objectRule(),
  limits: objectRule(limitRules),
  approve: functionRule,
  remember: functionRule,
  ask: functionRule,
  duplicates: objectRule(duplicateRules),
  untrusted: listOf(text, 'texts'),
  telemetry,
  signal: signalRule,
}

const someText: Rule = {
  expected: 'a string that is not empty',
  test: (value) => typeof value === 'string' && value !== '',
}

const forkRules: FieldRules<ForkOptions> = { run: required(someText), turn: wholeNumber }

const ruleTexts = listOf(text, 'rules')

const givenRules: FieldRules<NonNullable<RunOptions['given']>> = {
  allow: ruleTexts,
  ask: ruleTexts,
  deny: ruleTexts,
  mode: oneOf(...PERMISSION_MODES),
}

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
  given: objectRule(givenRules),
  log: objectRule(),
  takeover: flag,
  owner: text,
  attended: flag,
  version: someText,
  confirm: functionRule,
  whenChanged: oneOf('leave', 'ask', 'continue'),
  onMalformed: oneOf('feedback', 'text', 'fail'),
  finalizeOnLimit: flag,
}

const { maxReply, maxRetries, modelTimeout, idleTimeout } = limitRules

const turnLimits = { maxReply, maxRetries, modelTimeout, idleTimeout }

const TURN_ADVICE: Readonly<Record<string, string>> = {
  ...Object.fromEntries(Object.keys(turnLimits).map((key) => [key, limitAdvice[key]!])),
  ...ADVICE,
  maxTokens: maxOutputTokens,
  maxIterations: 'A turn asks once: for more, use run().',
  timeout: 'Set modelTimeout or idleTimeout in limits.',
}

const turnRules: FieldRules<TurnOptions> = {
  model: required(modelRule),
  ...prompts,
  ...requestRules,
  tools: {
    ...toolSelectionRules.tools,
    expected: 'a registry, or a list of tools, definitions or names',
  },
  registry: toolSelectionRules.registry,
  limits: objectRule(turnLimits),
  retryReplies: flag,
  signal: signalRule,
}

const cycleRules: FieldRules<CycleOptions> = {
  ...callRules,
  reply: required({
    expected: 'the result of turn() or parse(), or { calls }, each with a name and args',
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
