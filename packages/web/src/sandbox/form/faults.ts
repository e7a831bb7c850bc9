import { isObject } from '../../schema/resolve-schema.ts'
import type { ChoiceField, Field, ListField, NumberField, ObjectField, TextField } from './field.ts'
import { isSame, type Path, pointerOf } from './values.ts'
import type { Translate } from '../../words/words.ts'

/** A fault of a value. */
export type Fault =
  | {
      readonly type:
        | 'required'
        | 'text'
        | 'number'
        | 'integer'
        | 'boolean'
        | 'object'
        | 'list'
        | 'choice'
        | 'value'
        | 'tooMany'
    }
  | {
      readonly type:
        | 'minLength'
        | 'maxLength'
        | 'minimum'
        | 'maximum'
        | 'above'
        | 'below'
        | 'multipleOf'
        | 'minItems'
        | 'maxItems'
      readonly limit: number
    }

/** Faults by place; see `pointerOf`. Only the first fault of a place is kept. */
export type Faults = ReadonlyMap<string, Fault>

/** Larger values are checked only in part: the server checks all of them. */
const MAX_CHECKS = 20_000

interface Checking {
  readonly faults: Map<string, Fault>
  readonly left: { count: number }
}

/** Finds the faults of a value. Compiles nothing and executes no pattern of a schema. */
export function faultsIn(field: Field, value: unknown): Faults {
  const faults = new Map<string, Fault>()
  check(field, value, [], { faults, left: { count: MAX_CHECKS } })
  return faults
}

function check(field: Field, value: unknown, path: Path, checking: Checking): void {
  if (checking.left.count-- <= 0) return
  const wrong = (fault: Fault | undefined): void => {
    const place = pointerOf(path)
    if (fault && !checking.faults.has(place)) checking.faults.set(place, fault)
  }
  switch (field.kind) {
    case 'any':
      return
    case 'text':
      return wrong(textFault(field, value))
    case 'number':
      return wrong(numberFault(field, value))
    case 'boolean':
      return wrong(typeof value === 'boolean' ? undefined : { type: 'boolean' })
    case 'fixed':
      return wrong(field.values.some((each) => isSame(each, value)) ? undefined : { type: 'value' })
    case 'object':
      return isObject(value) ? checkObject(field, value, path, checking) : wrong({ type: 'object' })
    case 'list':
      return Array.isArray(value)
        ? checkList(field, value, path, checking)
        : wrong({ type: 'list' })
    case 'choice':
      return checkChoice(field, value, path, checking)
  }
}

function textFault({ minLength, maxLength }: TextField, value: unknown): Fault | undefined {
  if (typeof value !== 'string') return { type: 'text' }
  if (minLength === undefined && maxLength === undefined) return undefined
  // JSON Schema counts code points, not UTF-16 code units.
  // oxlint-disable-next-line typescript/no-misused-spread
  const length = [...value].length
  if (minLength !== undefined && length < minLength) return { type: 'minLength', limit: minLength }
  if (maxLength !== undefined && length > maxLength) return { type: 'maxLength', limit: maxLength }
  return undefined
}

function numberFault(field: NumberField, value: unknown): Fault | undefined {
  const { isInteger, minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = field
  if (typeof value !== 'number') return { type: isInteger ? 'integer' : 'number' }
  if (isInteger && !Number.isInteger(value)) return { type: 'integer' }
  if (minimum !== undefined && value < minimum) return { type: 'minimum', limit: minimum }
  if (maximum !== undefined && value > maximum) return { type: 'maximum', limit: maximum }
  if (exclusiveMinimum !== undefined && value <= exclusiveMinimum)
    return { type: 'above', limit: exclusiveMinimum }
  if (exclusiveMaximum !== undefined && value >= exclusiveMaximum)
    return { type: 'below', limit: exclusiveMaximum }
  // Floating-point division is inexact here; the server checks fractions.
  if (
    multipleOf !== undefined &&
    Number.isInteger(multipleOf) &&
    multipleOf > 0 &&
    value % multipleOf !== 0
  )
    return { type: 'multipleOf', limit: multipleOf }
  return undefined
}

function checkObject(
  { properties, others }: ObjectField,
  value: Readonly<Record<string, unknown>>,
  path: Path,
  checking: Checking,
): void {
  for (const { name, field, isRequired } of properties) {
    if (Object.hasOwn(value, name)) check(field, value[name], [...path, name], checking)
    else if (isRequired) checking.faults.set(pointerOf([...path, name]), { type: 'required' })
  }
  if (!others || others.kind === 'any') return
  const known = new Set(properties.map(({ name }) => name))
  for (const [name, each] of Object.entries(value))
    if (!known.has(name)) check(others, each, [...path, name], checking)
}

function checkList(
  field: ListField,
  value: readonly unknown[],
  path: Path,
  checking: Checking,
): void {
  const { first, items, minItems, maxItems } = field
  const fault: Fault | undefined =
    minItems !== undefined && value.length < minItems
      ? { type: 'minItems', limit: minItems }
      : maxItems !== undefined && value.length > maxItems
        ? { type: 'maxItems', limit: maxItems }
        : items === undefined && value.length > first.length
          ? { type: 'tooMany' }
          : undefined
  if (fault) checking.faults.set(pointerOf(path), fault)
  for (const [at, each] of value.entries()) {
    const item = first[at] ?? items
    if (item) check(item, each, [...path, at], checking)
  }
}

function checkChoice(
  { choices }: ChoiceField,
  value: unknown,
  path: Path,
  checking: Checking,
): void {
  const at = likeliest(choices, value, checking.left)
  if (at === undefined) checking.faults.set(pointerOf(path), { type: 'choice' })
  else check(choices[at]!, value, path, checking)
}

/** The index of the field that fits a value: the first valid one, or else the first of its type. */
export function likeliest(
  choices: readonly Field[],
  value: unknown,
  left: { count: number } = { count: MAX_CHECKS },
): number | undefined {
  const fits = choices.findIndex((choice) => {
    const faults = new Map<string, Fault>()
    check(choice, value, [], { faults, left })
    return faults.size === 0
  })
  if (fits >= 0) return fits
  const similar = choices.findIndex((choice) => isOfKind(choice, value))
  return similar < 0 ? undefined : similar
}

function isOfKind(field: Field, value: unknown): boolean {
  switch (field.kind) {
    case 'text':
      return typeof value === 'string'
    case 'number':
      return typeof value === 'number'
    case 'object':
      return isObject(value)
    case 'list':
      return Array.isArray(value)
    default:
      return false
  }
}

/** The text of a fault. */
export function faultText(fault: Fault, t: Translate): string {
  return t(`sandbox.fault.${fault.type}`, 'limit' in fault ? { limit: fault.limit } : {})
}
