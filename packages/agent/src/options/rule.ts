import type { Journal } from '../journal/journal.ts'
import type { Model } from '../model/model.ts'
import { isObject } from '../tool/json-schema.ts'

/** A rule for the value of a field. */
export interface Rule {
  /** Completes the sentence "temperature must be …". */
  readonly expected: string
  readonly test: (value: unknown) => boolean
  /**
   * `required`: the field must be present. `defined`: it may be missing, but not undefined.
   * Default: it may be missing or undefined.
   */
  readonly presence?: 'required' | 'defined'
  /** The rules for the value's own fields, if it is an object. */
  readonly fields?: FieldRules
}

/** Rules by field. */
export type FieldRules<Fields = Record<string, unknown>> = Readonly<Record<keyof Fields, Rule>>

/** A rule for a field that must be present. */
export function required(rule: Rule): Rule {
  return { ...rule, presence: 'required' }
}

/** A rule for a field that may be missing, but not undefined. */
export function defined(rule: Rule): Rule {
  return { ...rule, presence: 'defined' }
}

/** True or false. */
export const flag: Rule = {
  expected: 'true or false',
  test: (value) => typeof value === 'boolean',
}

/** A string. */
export const text: Rule = { expected: 'a string', test: (value) => typeof value === 'string' }

/** A function. */
export const functionRule: Rule = {
  expected: 'a function',
  test: (value) => typeof value === 'function',
}

/** Any finite number. */
export const finiteNumber: Rule = { expected: 'a number', test: Number.isFinite }

/** A whole number of at least 1. */
export const positiveInteger: Rule = {
  expected: 'a positive whole number',
  test: (value) => Number.isSafeInteger(value) && Number(value) > 0,
}

/** A whole number of at least 0. */
export const wholeNumber: Rule = {
  expected: 'a whole number, 0 or more',
  test: (value) => Number.isSafeInteger(value) && Number(value) >= 0,
}

/** A finite number above 0. */
export const positiveNumber: Rule = {
  expected: 'a positive number',
  test: (value) => Number.isFinite(value) && Number(value) > 0,
}

/** A duration greater than 0. */
export const milliseconds: Rule = {
  ...positiveNumber,
  expected: 'a positive number of milliseconds',
}

/** A duration of at least 0. */
export const delayRule: Rule = {
  expected: 'a number of milliseconds, 0 or more',
  test: (value) => Number.isFinite(value) && Number(value) >= 0,
}

/** Extends a rule to allow Infinity, which means no limit. */
export function orInfinity(rule: Rule): Rule {
  return { ...rule, test: (value) => value === Infinity || rule.test(value) }
}

/** Extends a rule to allow `true` and `false`. */
export function orFlag({ expected, test, ...rest }: Rule): Rule {
  return {
    ...rest,
    expected: `true, false or ${expected}`,
    test: (value) => flag.test(value) || test(value),
  }
}

/** One of these strings. */
export function oneOf(...choices: readonly string[]): Rule {
  const quoted = choices.map((choice) => JSON.stringify(choice))
  return {
    expected: [quoted.slice(0, -1).join(', '), quoted.at(-1)].filter(Boolean).join(' or '),
    test: (value) => choices.includes(value as string),
  }
}

/** A list whose items follow a rule. `what` describes the items, for example "names of tools". */
export function listOf({ test }: Rule, what: string): Rule {
  return {
    expected: `a list of ${what}`,
    test: (value) => Array.isArray(value) && value.every((item) => test(item)),
  }
}

/**
 * An object whose members follow a rule. `what` describes the members, for example "arguments by
 * tool name".
 */
export function objectOf({ test }: Rule, what: string): Rule {
  return {
    expected: `an object with ${what}`,
    test: (value) => isObject(value) && Object.values(value).every((member) => test(member)),
  }
}

/** Any object, or an object with exactly these fields. */
export function objectRule(fields?: FieldRules): Rule {
  return { expected: 'an object', test: isObject, fields }
}

/** An AbortSignal from any realm or library. */
export const signalRule: Rule = {
  expected: 'an AbortSignal',
  test: (value) =>
    isObject(value) &&
    typeof value['aborted'] === 'boolean' &&
    typeof value['addEventListener'] === 'function',
}

/** A model. */
export const modelRule: Rule = {
  expected: 'a model: an object with a name and reply()',
  test: (value) => hasMethods<Model>(value, ['reply']) && text.test(value['name']),
}

/** A journal. */
export const journalRule: Rule = {
  expected: 'a journal, such as memoryJournal()',
  test: (value) => hasMethods<Journal>(value, ['open', 'read', 'answer']),
}

function hasMethods<Type>(
  value: unknown,
  names: readonly (keyof Type & string)[],
): value is Record<string, unknown> {
  return isObject(value) && names.every((name) => typeof value[name] === 'function')
}
