import type { Interpreter } from './interpreter.ts'
import type { Node } from './syntax.ts'
import { FAILED, type Scope } from './values.ts'

type Chain = Node & { type: 'chain' }

/**
 * `a + b + c`, from left to right: the sum of two numbers, or a string joined with a printable
 * value.
 */
export function sum(interpreter: Interpreter, node: Chain, scope: Scope): unknown {
  const values = node.parts.map((part) => interpreter.value(part, scope))
  if (values.includes(FAILED)) return FAILED
  const [first, ...others] = values
  let total = first
  // Pieces are joined at the end, so that each is copied only once.
  const pieces: string[] = typeof first === 'string' ? [first] : []
  for (const [at, value] of others.entries()) {
    if (pieces.length === 0 && typeof total === 'number' && typeof value === 'number') {
      total += value
      continue
    }
    if (pieces.length === 0 && typeof value !== 'string')
      return interpreter.fail('This must be a number or a string.', wrongOf(node, at, total))
    const texts = pieces.length === 0 ? [total, value] : [value]
    for (const each of texts) {
      const text = interpreter.printed(each, node.parts[at + 1]!)
      if (text === FAILED) return FAILED
      pieces.push(text)
    }
  }
  if (pieces.length === 0) return total
  interpreter.spend(node, pieces.reduce((length, text) => length + text.length, 0) / 32)
  return pieces.join('')
}

/** The operand that is not a number: the one before, whose value is `total`, or the one after. */
function wrongOf({ parts }: Chain, at: number, total: unknown): Node {
  return parts[typeof total === 'number' ? at + 1 : at]!
}

/** `a ?? b`, `a && b` or `a || b`. */
export function firstOf(
  interpreter: Interpreter,
  { operator, parts }: Chain,
  scope: Scope,
): unknown {
  let value: unknown
  for (const part of parts) {
    value = interpreter.value(part, scope)
    if (value === FAILED) return FAILED
    if (operator === '??' ? value !== undefined && value !== null : !value === (operator === '&&'))
      return value
  }
  return value
}

/** `a === b`, `a < b` and so on. */
export function compare(
  interpreter: Interpreter,
  { operator, left, right }: Node & { type: 'compare' },
  scope: Scope,
): unknown {
  const [one, other] = [interpreter.value(left, scope), interpreter.value(right, scope)]
  if (one === FAILED || other === FAILED) return FAILED
  if (typeof one === 'string' && typeof other === 'string')
    interpreter.spend(left, Math.min(one.length, other.length) / 32)
  if (operator === '===' || operator === '!==') return (one === other) === (operator === '===')
  if (typeof one !== 'number') return interpreter.fail('This must be a number.', left)
  if (typeof other !== 'number') return interpreter.fail('This must be a number.', right)
  if (operator === '<') return one < other
  if (operator === '>') return one > other
  return operator === '<=' ? one <= other : one >= other
}

/** `-a`. */
export function minus(
  interpreter: Interpreter,
  { of }: Node & { type: 'minus' | 'not' },
  scope: Scope,
): unknown {
  const value = interpreter.value(of, scope)
  if (value === FAILED) return FAILED
  return typeof value === 'number' ? -value : interpreter.fail('This must be a number.', of)
}
