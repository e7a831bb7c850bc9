import type { Interpreter } from './interpreter.ts'
import { Misread, type Place } from './problems.ts'
import { isPlain } from './shapes.ts'
import { Closure, isHole, Native } from './values.ts'

/** How much is in each hole that contains pictures. */
const weights = new WeakMap<object, number>()

/** How much may be in one hole. */
const MAX_WEIGHT = 10_000

/** Remembers how much is in a hole. */
export function weigh(hole: object, weight: number): void {
  if (!weights.has(hole)) weights.set(hole, weight)
}

/**
 * How much a value contains; what occurs twice counts twice. A short text can describe a very large value, through which a
 * function of this package would walk: too much is refused.
 */
export function measure(
  interpreter: Interpreter,
  value: unknown,
  place: Place,
  limit: number = MAX_WEIGHT,
): number {
  const waiting = [value]
  let total = 0
  while (waiting.length > 0) {
    const next = waiting.pop()
    const amount = isHole(next)
      ? (weights.get(next) ?? 1)
      : 1 + (typeof next === 'string' ? next.length / 32 : 0)
    total += amount
    interpreter.spend(place, amount)
    if (total > limit) throw new Misread('This contains too much.', place)
    const inner = Array.isArray(next) ? next : isPlain(next) ? Object.values(next) : []
    interpreter.spend(place, inner.length)
    for (const each of inner) waiting.push(each)
  }
  return total
}

/** By how many characters `JSON.stringify` indents, if it is told this. */
export function indentOf(indent: unknown): number {
  if (typeof indent === 'string') return Math.min(10, indent.length)
  return typeof indent === 'number' ? Math.max(0, Math.min(10, Math.trunc(indent))) : 0
}

/** Whether JSON can say everything that a value contains. Counts the indentation, which grows with the depth, before it is printed. */
export function isData(
  interpreter: Interpreter,
  value: unknown,
  indent: number,
  place: Place,
): boolean {
  const waiting: [value: unknown, depth: number][] = [[value, 0]]
  while (waiting.length > 0) {
    const [next, depth] = waiting.pop()!
    // Once before it, and once before the bracket that closes it.
    interpreter.spend(place, 1 + (2 * depth * indent) / 32)
    if (next instanceof Closure || next instanceof Native || isHole(next)) return false
    const inner = Array.isArray(next) ? next : isPlain(next) ? Object.values(next) : []
    for (const each of inner) waiting.push([each, depth + 1])
  }
  return true
}
