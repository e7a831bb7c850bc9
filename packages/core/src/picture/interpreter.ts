import { apply } from './apply.ts'
import { memberOf } from './members.ts'
import { compare, firstOf, minus, sum } from './operators.ts'
import { Misread, type Place, type Problems, quoted } from './problems.ts'
import { isPlain } from './shapes.ts'
import type { Node, Pattern } from './syntax.ts'
import { template } from './template.ts'
import { Closure, ENDED, FAILED, LATER, REFUSED, Scope } from './values.ts'

/**
 * Evaluates expressions in a bounded number of steps. Reports anything it cannot evaluate, and
 * returns `FAILED` for it.
 */
export class Interpreter {
  readonly problems: Problems
  /** The places of an object and of its members. */
  readonly places: WeakMap<object, ReadonlyMap<string, Place>> = new WeakMap()
  #left: number
  #depth = 0

  constructor(problems: Problems, budget: number) {
    this.problems = problems
    this.#left = budget
  }

  /** The number of steps left. */
  get left(): number {
    return this.#left
  }

  /**
   * Counts work: one step for each expression, and one for every 32 characters produced. Throws if
   * no steps are left.
   */
  spend(place: Place, amount = 1): void {
    // Refused work is not counted.
    this.problems.count(Math.min(amount, this.#left + 1))
    this.#left = Math.max(-1, this.#left - amount)
    if (this.#left < 0) throw new Misread('This takes too many steps to evaluate.', place)
  }

  /** Counts work that is already done. */
  spent(place: Place, amount: number): void {
    this.problems.count(Math.max(0, amount - this.#left - 1))
    this.spend(place, amount)
  }

  fail(message: string | (() => string), place: Place): typeof FAILED {
    this.problems.add(message, place)
    return FAILED
  }

  /** The value of an expression. */
  value(node: Node, scope: Scope): unknown {
    this.spend(node)
    if (this.#depth >= MAX_DEPTH)
      throw new Misread('This is nested too deeply, or a function calls itself too often.', node)
    this.#depth++
    try {
      return this.#evaluate(node, scope)
    } finally {
      this.#depth--
    }
  }

  #evaluate(node: Node, scope: Scope): unknown {
    switch (node.type) {
      case 'literal':
        return node.value
      case 'name':
        return this.#named(node, scope)
      case 'regex':
        return this.#regex(node)
      case 'template':
        return template(this, node, scope)
      case 'list':
        return this.#list(node, scope)
      case 'object':
        return this.#object(node, scope)
      case 'function':
        return new Closure(node, scope)
      case 'member':
        return this.#member(node, scope)
      case 'optional': {
        const of = this.value(node.of, scope)
        return of === ENDED ? undefined : of
      }
      case 'call':
        return apply(this, node, scope)
      case 'choice': {
        const test = this.value(node.test, scope)
        return test === FAILED ? FAILED : this.value(test ? node.yes : node.no, scope)
      }
      case 'chain':
        return node.operator === '+' ? sum(this, node, scope) : firstOf(this, node, scope)
      case 'compare':
        return compare(this, node, scope)
      case 'not': {
        const of = this.value(node.of, scope)
        return of === FAILED ? FAILED : !of
      }
      case 'minus':
        return minus(this, node, scope)
    }
  }

  #named(node: Node & { type: 'name' }, scope: Scope): unknown {
    // An undeclared name has already been reported.
    const value = scope.has(node.name) ? scope.get(node.name) : FAILED
    if (value !== LATER) return value
    return this.fail(`${quoted(node.name)} is used before it is declared.`, node)
  }

  #member(node: Node & { type: 'member' }, scope: Scope): unknown {
    const of = this.value(node.of, scope)
    return of === ENDED ? ENDED : memberOf(this, node, of, this.value(node.name, scope))
  }

  #regex(node: Node & { type: 'regex' }): unknown {
    if (node.source.length > MAX_PATTERN)
      return this.fail(`A regular expression may have at most ${MAX_PATTERN} characters.`, node)
    this.spend(node, node.source.length)
    try {
      return new RegExp(node.source, node.flags)
    } catch (error) {
      return this.fail(`This is not a regular expression: ${(error as Error).message}.`, node)
    }
  }

  /** A value as printed in a template. */
  printed(value: unknown, place: Place): string | typeof FAILED {
    if (value === FAILED) return FAILED
    if (typeof value === 'object' && value !== null)
      return this.fail(
        'This must be a string. Convert a list with `.join(…)`, data with `JSON.stringify(…)`.',
        place,
      )
    return String(value)
  }

  #list(node: Node & { type: 'list' }, scope: Scope): unknown {
    const found: unknown[] = []
    for (const { spread, value: item } of node.items) {
      const value = this.value(item, scope)
      if (!spread) found.push(value)
      else if (Array.isArray(value)) {
        this.spend(item, value.length)
        for (const each of value) found.push(each)
      } else if (value !== FAILED) this.fail('This must be a list.', item)
    }
    return found.filter((each) => each !== FAILED)
  }

  #object(node: Node & { type: 'object' }, scope: Scope): unknown {
    const found: Record<string, unknown> = {}
    const keys = new Set<string>()
    const places = new Map<string, Place>([['', { from: node.from, to: node.to }]])
    for (const { key, keyPlace, value: item } of node.members) {
      const value = this.value(item, scope)
      if (key === undefined) {
        // `...(condition && { … })`
        if (isPlain(value)) {
          this.spend(item, Object.keys(value).length)
          Object.assign(found, value)
        } else if (value && value !== FAILED) this.fail('This must be an object.', item)
      } else if (REFUSED.has(key)) this.fail(`${quoted(key)} cannot be a key.`, keyPlace)
      else {
        if (keys.has(key)) this.fail(`${quoted(key)} is defined twice.`, keyPlace)
        keys.add(key)
        if (key !== '') places.set(key, { from: item.from, to: item.to })
        if (value === FAILED) delete found[key]
        else found[key] = value
      }
    }
    this.places.set(found, places)
    return found
  }

  /** The result of calling a function. */
  run(closure: Closure, args: readonly unknown[], place: Place): unknown {
    const { node, scope } = Closure.parts(closure)
    const inner = new Scope(scope)
    node.parameters.forEach((parameter, at) => this.#bind(inner, parameter, args[at], place))
    for (const { name } of node.declared) inner.set(name, LATER)
    for (const { name, value } of node.declared) inner.set(name, this.value(value, inner))
    return this.value(node.result, inner)
  }

  #bind(scope: Scope, pattern: Pattern, value: unknown, place: Place): void {
    if ('name' in pattern) return scope.set(pattern.name, value)
    for (const { key, name } of pattern.members) {
      const member = { type: 'literal' as const, value: key, ...place }
      scope.set(name, memberOf(this, { of: member, name: member, optional: false }, value, key))
    }
  }
}

const MAX_PATTERN = 1000
const MAX_DEPTH = 400
