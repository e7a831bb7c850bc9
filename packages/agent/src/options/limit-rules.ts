import type { Limits } from '../limits.ts'
import {
  defined,
  type FieldRules,
  milliseconds,
  orInfinity,
  positiveInteger,
  positiveNumber,
  wholeNumber,
} from './rule.ts'

// An undefined count would never be reached.
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

/** Advice for limits that are given where `limits` is expected. */
export const limitAdvice: Readonly<Record<string, string>> = Object.fromEntries(
  Object.keys(limitRules).map((key) => [key, `It belongs in limits: { ${key}: … }.`]),
)
