import type { Budget } from './budget.ts'
import { filters, type FilterContext } from './filters.ts'
import { itemOf, memberOf } from './member.ts'
import type { BinaryNode, CallNode, MemberNode, Node } from './node.ts'
import { operate, slice } from './operators.ts'
import { MISSING, NOT_TEST, TEST } from './rewrite-tokens.ts'
import { TemplateError } from './template-error.ts'
import {
  type Arguments,
  asNumber,
  Callable,
  type Dictionary,
  Float,
  isTruthy,
  itemsOf,
  keyOf,
  makeFloat,
  makeTuple,
  sizeOf,
  typeName,
  type Value,
  contains,
  isEqual,
  order,
  isFloat,
  wholeNumber,
} from './value.ts'

/** Evaluates the expressions of a template. */
export interface Evaluator {
  readonly evaluate: (node: Node, scope: Scope) => Value
  /** Evaluates the arguments of a call. */
  readonly argumentsOf: (nodes: readonly Node[], scope: Scope) => Arguments
  /** Applies a filter: the part after `|`. */
  readonly applyFilter: (value: Value, node: Node, scope: Scope) => Value
}

export function createEvaluator(budget: Budget): Evaluator {
  const context: FilterContext = {
    budget,
    filter(name, value, given) {
      const filter = filters.get(name)
      if (!filter) throw new TemplateError(`it uses the filter '${name}', which is not supported`)
      budget.step()
      budget.spend(sizeOf(value))
      return filter(value, given, context)
    },
    test(name, value, others) {
      if (name === 'filter') return typeof value === 'string' && filters.has(value)
      if (name === 'test') return typeof value === 'string' && tests.has(value)
      const test = tests.get(name)
      if (!test) throw new TemplateError(`it uses the test '${name}', which is not supported`)
      budget.step()
      return test(value, others, budget)
    },
  }

  return { evaluate, argumentsOf, applyFilter }

  function evaluate(node: Node, scope: Scope): Value {
    budget.step()
    switch (node.type) {
      case 'StringLiteral':
      case 'IntegerLiteral':
        return node.value
      case 'FloatLiteral':
        return makeFloat(node.value)
      case 'Identifier':
        return scope.get(node.value)
      case 'ArrayLiteral':
        return node.value.map((each) => evaluate(each, scope))
      case 'TupleLiteral':
        return makeTuple(
          node.value
            .filter((each) => !(each.type === 'Identifier' && each.value === MISSING))
            .map((each) => evaluate(each, scope)),
        )
      case 'ObjectLiteral':
        return dictionary(node.value, scope)
      case 'MemberExpression':
        return member(node, scope)
      case 'CallExpression':
        return call(node, scope)
      case 'UnaryExpression':
        return unary(node.operator.value, evaluate(node.argument, scope))
      case 'BinaryExpression':
        return binary(node, scope)
      case 'FilterExpression':
        return applyFilter(evaluate(node.operand, scope), node.filter, scope)
      case 'Ternary':
        return isTruthy(evaluate(node.condition, scope))
          ? evaluate(node.trueExpr, scope)
          : evaluate(node.falseExpr, scope)
      case 'SelectExpression':
        return isTruthy(evaluate(node.test, scope)) ? evaluate(node.lhs, scope) : undefined
      default:
        throw new TemplateError(`it uses a ${node.type} as a value`)
    }
  }

  function dictionary(entries: ReadonlyMap<Node, Node>, scope: Scope): Dictionary {
    const made: Dictionary = new Map()
    for (const [key, value] of entries)
      made.set(keyOf(evaluate(key, scope)), evaluate(value, scope))
    return made
  }

  function member(node: MemberNode, scope: Scope): Value {
    const object = evaluate(node.object, scope)
    const { property } = node
    if (property.type === 'SliceExpression') {
      const bound = (each: Node | undefined): Value => each && evaluate(each, scope)
      const { start, stop, step } = property
      return slice(object, { start: bound(start), stop: bound(stop), step: bound(step) }, budget)
    }
    if (node.computed) return itemOf(object, evaluate(property, scope), budget)
    if (property.type === 'Identifier') return memberOf(object, property.value, budget)
    return itemOf(object, evaluate(property, scope), budget)
  }

  function call({ callee, args }: CallNode, scope: Scope): Value {
    const target = evaluate(callee, scope)
    if (!(target instanceof Callable)) {
      const name = nameOf(callee)
      throw new TemplateError(`it calls ${name}, which is not a function but ${typeName(target)}`)
    }
    const given = argumentsOf(args, scope)
    return budget.nested(() => target.call(given))
  }

  function argumentsOf(nodes: readonly Node[], scope: Scope): Arguments {
    const positional: Value[] = []
    const named = new Map<string, Value>()
    for (const node of nodes) {
      if (node.type === 'KeywordArgumentExpression') {
        named.set(node.key.value, evaluate(node.value, scope))
      } else if (node.type === 'SpreadExpression') {
        const items = itemsOf(evaluate(node.argument, scope))
        budget.items(items.length)
        for (const item of items) positional.push(item)
      } else if (node.type === 'KeywordSpreadExpression') {
        const value = evaluate(node.argument, scope)
        if (!(value instanceof Map)) throw new TemplateError(`'**' needs a dictionary`)
        for (const [key, item] of value) named.set(String(key), item)
      } else positional.push(evaluate(node, scope))
    }
    for (const each of [...positional, ...named.values()]) budget.spend(sizeOf(each))
    return { positional, named }
  }

  function unary(operator: string, value: Value): Value {
    if (operator === 'not') return !isTruthy(value)
    const number = asNumber(value)
    if (number === undefined)
      throw new TemplateError(`'${operator}' does not work with ${typeName(value)}`)
    const result = operator === '-' ? 0 - number : number
    return value instanceof Float ? makeFloat(result) : result
  }

  function binary(node: BinaryNode, scope: Scope): Value {
    const operator = node.operator.value
    const left = evaluate(node.left, scope)
    if (operator === 'and') return isTruthy(left) ? evaluate(node.right, scope) : left
    if (operator === 'or') return isTruthy(left) ? left : evaluate(node.right, scope)
    return operate(operator, left, evaluate(node.right, scope), budget)
  }

  function applyFilter(value: Value, node: Node, scope: Scope): Value {
    const [target, args] = node.type === 'CallExpression' ? [node.callee, node.args] : [node, []]
    const name = nameOf(target)
    const given = argumentsOf(args, scope)
    if (name.startsWith(NOT_TEST)) return !applyTest(name.slice(NOT_TEST.length), value, given)
    if (name.startsWith(TEST)) return applyTest(name.slice(TEST.length), value, given)
    return context.filter(name, value, given)
  }

  function applyTest(name: string, value: Value, { positional }: Arguments): boolean {
    return context.test(name, value, positional)
  }
}

function nameOf(node: Node): string {
  if (node.type === 'Identifier') return node.value
  return node.type === 'MemberExpression' ? nameOf(node.property) : node.type
}

/** The variables of a block and of the blocks around it. */
export class Scope {
  readonly #variables = new Map<string, Value>()
  readonly #parent: Scope | undefined
  #lazy: { readonly name: string; readonly make: () => Value } | undefined

  constructor(parent?: Scope) {
    this.#parent = parent
  }

  get(name: string): Value {
    const value = this.#variables.get(name)
    if (value !== undefined || this.#variables.has(name)) return value
    if (this.#lazy?.name !== name) return this.#parent?.get(name)
    const made = this.#lazy.make()
    this.set(name, made)
    return made
  }

  set(name: string, value: Value): void {
    this.#variables.set(name, value)
  }

  /**
   * Sets a variable whose value is computed on first use. A scope has at most one such variable.
   */
  setLazily(name: string, make: () => Value): void {
    this.#lazy = { name, make }
  }
}

type Test = (value: Value, others: readonly Value[], budget: Budget) => boolean

const equal: Test = (value, [other], budget) => isEqual(value, other, budget)
const greater: Test = (value, [other], budget) => order(value, other, budget) > 0
const less: Test = (value, [other], budget) => order(value, other, budget) < 0
const isNumber: Test = (value) => asNumber(value) !== undefined

/** The tests that can follow `is`. */
const tests: ReadonlyMap<string, Test> = new Map<string, Test>([
  ['defined', (value) => value !== undefined],
  ['undefined', (value) => value === undefined],
  ['none', (value) => value === null],
  ['boolean', (value) => typeof value === 'boolean'],
  ['true', (value) => value === true],
  ['false', (value) => value === false],
  ['string', (value) => typeof value === 'string'],
  ['number', isNumber],
  ['integer', (value) => typeof value === 'number' && !isFloat(value)],
  ['float', (value) => isFloat(value)],
  ['mapping', (value) => value instanceof Map],
  ['iterable', (value) => isIterable(value)],
  ['sequence', (value) => isIterable(value)],
  ['callable', (value) => value instanceof Callable],
  ['odd', (value) => Math.abs(wholeNumber(value, 'it') % 2) === 1],
  ['even', (value) => wholeNumber(value, 'it') % 2 === 0],
  [
    'divisibleby',
    (value, [other]) => wholeNumber(value, 'it') % wholeNumber(other, 'the divisor') === 0,
  ],
  ['lower', (value) => typeof value === 'string' && hasCase(value, value.toLowerCase())],
  ['upper', (value) => typeof value === 'string' && hasCase(value, value.toUpperCase())],
  ['in', (value, [other], budget) => contains(other, value, budget)],
  ['sameas', (value, [other]) => value === other],
  ['escaped', () => false],
  ['filter', () => true],
  ...['eq', 'equalto', '=='].map((name) => [name, equal] as const),
  ['ne', (...all) => !equal(...all)],
  ['!=', (...all) => !equal(...all)],
  ...['gt', 'greaterthan', '>'].map((name) => [name, greater] as const),
  ...['lt', 'lessthan', '<'].map((name) => [name, less] as const),
  ['ge', (...all) => !less(...all)],
  ['>=', (...all) => !less(...all)],
  ['le', (...all) => !greater(...all)],
  ['<=', (...all) => !greater(...all)],
])

function isIterable(value: Value): boolean {
  if (value instanceof Map) return true
  // In Jinja, undefined is an empty sequence.
  return value === undefined || typeof value === 'string' || Array.isArray(value)
}

function hasCase(text: string, changed: string): boolean {
  return text === changed && text.toLowerCase() !== text.toUpperCase()
}
