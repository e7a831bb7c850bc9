import type { Interpreter } from './interpreter.ts'
import { Misread, type Place } from './problems.ts'
import { isPlain } from './shapes.ts'
import { Closure, isHole, Native } from './values.ts'

/** The weight of each hole that contains pictures. */
const weights = new WeakMap<object, number>()

/** The maximum weight of a hole. */
const MAX_WEIGHT = 10_000

/** Stores the weight of a hole. */
export function weigh(hole: object, weight: number): void {
  if (!weights.has(hole)) weights.set(hole, weight)
}

/**
 * The weight of a value, with repeated parts counted each time. A short text can describe a very
 * large value, which built-in functions would walk through, so a value above the limit is rejected.
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
    if (total > limit) throw new Misread('This value is too large.', place)
    const inner = Array.isArray(next) ? next : isPlain(next) ? Object.values(next) : []
    interpreter.spend(place, inner.length)
    for (const each of inner) waiting.push(each)
  }
  return total
}

/** The indentation of `JSON.stringify` for this argument, in characters. */
export function indentOf(indent: unknown): number {
  if (typeof indent === 'string') return Math.min(10, indent.length)
  return typeof indent === 'number' ? Math.max(0, Math.min(10, Math.trunc(indent))) : 0
}

/**
 * True if JSON can represent a value. Counts the cost of indentation, which grows with the depth,
 * before printing.
 */
export function isData(
  interpreter: Interpreter,
  value: unknown,
  indent: number,
  place: Place,
): boolean {
  const waiting: [value: unknown, depth: number][] = [[value, 0]]
  while (waiting.length > 0) {
    const [next, depth] = waiting.pop()!
    // Indented twice: before the value, and before its closing bracket.
    interpreter.spend(place, 1 + (2 * depth * indent) / 32)
    if (next instanceof Closure || next instanceof Native || isHole(next)) return false
    const inner = Array.isArray(next) ? next : isPlain(next) ? Object.values(next) : []
    for (const each of inner) waiting.push([each, depth + 1])
  }
  return true
}
