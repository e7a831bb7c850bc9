import type { Budget } from './budget.ts'
import { type Evaluator, Scope } from './evaluate.ts'
import type { CallStatementNode, ForNode, MacroNode, Node, SetNode } from './node.ts'
import { printValue } from './print.ts'
import { TemplateError } from './template-error.ts'
import {
  type Arguments,
  Callable,
  isTruthy,
  itemsOf,
  makeTuple,
  Namespace,
  typeName,
  type Value,
} from './value.ts'

/** The reason for leaving a block early. */
type Jump = 'Break' | 'Continue' | undefined

/** Executes a template and returns its output. */
export function execute(program: Node, scope: Scope, evaluator: Evaluator, budget: Budget): string {
  const { evaluate, argumentsOf, applyFilter } = evaluator
  if (program.type !== 'Program') throw new TemplateError('it is not a template')
  return printed(program.body, scope)

  /** The output of a block. */
  function printed(nodes: readonly Node[], inner: Scope): string {
    const output = new Output(budget)
    executeBlock(nodes, inner, output)
    return output.text
  }

  function executeBlock(nodes: readonly Node[], inner: Scope, output: Output): Jump {
    for (const node of nodes) {
      const jump = executeNode(node, inner, output)
      if (jump) return jump
    }
    return undefined
  }

  function executeNode(node: Node, inner: Scope, output: Output): Jump {
    budget.step()
    switch (node.type) {
      case 'If':
        return executeBlock(
          isTruthy(evaluate(node.test, inner)) ? node.body : node.alternate,
          inner,
          output,
        )
      case 'For':
        executeFor(node, inner, output)
        return undefined
      case 'Set':
        executeSet(node, inner)
        return undefined
      case 'Macro':
        inner.set(node.name.value, macro(node, inner))
        return undefined
      case 'CallStatement':
        output.write(callStatement(node, inner))
        return undefined
      case 'FilterStatement':
        output.write(
          printValue(applyFilter(printed(node.body, new Scope(inner)), node.filter, inner), budget),
        )
        return undefined
      case 'Comment':
        return undefined
      case 'Break':
      case 'Continue':
        return node.type
      default:
        output.write(printValue(evaluate(node, inner), budget))
        return undefined
    }
  }

  function executeFor(node: ForNode, outer: Scope, output: Output): void {
    const { iterable } = node
    const isFiltered = iterable.type === 'SelectExpression'
    const all = itemsOf(evaluate(isFiltered ? iterable.lhs : iterable, outer))
    budget.items(all.length)
    const items = isFiltered
      ? all.filter((item) => {
          const scope = new Scope(outer)
          assign(node.loopvar, item, scope)
          return isTruthy(evaluate(iterable.test, scope))
        })
      : // Copied, so that changes to the list inside the loop do not affect the loop.
        [...all]
    if (items.length === 0) {
      executeBlock(node.defaultBlock, new Scope(outer), output)
      return
    }
    for (const [index, item] of items.entries()) {
      // Each iteration starts with the variables from outside the loop.
      budget.step()
      const scope = new Scope(outer)
      scope.setLazily('loop', () => loopFacts(items, index))
      assign(node.loopvar, item, scope)
      if (executeBlock(node.body, scope, output) === 'Break') return
    }
  }

  function executeSet({ assignee, value, body }: SetNode, scope: Scope): void {
    if (value) {
      assign(assignee, evaluate(value, scope), scope)
      return
    }
    let target = assignee
    const filters: Node[] = []
    // {% set name | filter %} filters the output of the block.
    while (target.type === 'FilterExpression') {
      filters.unshift(target.filter)
      target = target.operand
    }
    const text: Value = printed(body, new Scope(scope))
    const result = filters.reduce<Value>((each, filter) => applyFilter(each, filter, scope), text)
    assign(target, result, scope)
  }

  function assign(target: Node, value: Value, scope: Scope): void {
    if (target.type === 'Identifier') scope.set(target.value, value)
    else if (target.type === 'TupleLiteral' || target.type === 'ArrayLiteral') {
      const items = itemsOf(value)
      const { length } = target.value
      if (items.length !== length)
        throw new TemplateError(
          `${length} values are required for the assignment, not ${items.length}`,
        )
      for (const [index, each] of target.value.entries()) assign(each, items[index], scope)
    } else if (target.type === 'MemberExpression' && target.property.type === 'Identifier') {
      const object = evaluate(target.object, scope)
      if (!(object instanceof Namespace))
        throw new TemplateError(`only a namespace can be assigned to, not ${typeName(object)}`)
      object.fields.set(target.property.value, value)
    } else throw new TemplateError(`a ${target.type} cannot be assigned to`)
  }

  /** A macro can access the variables in scope where it is defined. */
  function macro({ name, args, body }: MacroNode, outer: Scope): Callable {
    return new Callable(name.value, (given) => {
      const scope = new Scope(outer)
      bind(args, given, scope, name.value)
      return printed(body, scope)
    })
  }

  function callStatement({ call, callerArgs, body }: CallStatementNode, outer: Scope): string {
    const target = evaluate(call.callee, outer)
    if (!(target instanceof Callable))
      throw new TemplateError(`it calls a ${typeName(target)}, which is not a macro`)
    const caller = new Callable('caller', (given) => {
      const scope = new Scope(outer)
      bind(callerArgs ?? [], given, scope, 'caller')
      return printed(body, scope)
    })
    const given = argumentsOf(call.args, outer)
    const named = new Map(given.named).set('caller', caller)
    return printValue(
      budget.nested(() => target.call({ positional: given.positional, named })),
      budget,
    )
  }

  /** Assigns the arguments of a call to the parameters of a macro. */
  function bind(parameters: readonly Node[], given: Arguments, scope: Scope, name: string): void {
    const rest = new Map(given.named)
    for (const [index, parameter] of parameters.entries()) {
      const isKeyword = parameter.type === 'KeywordArgumentExpression'
      if (!isKeyword && parameter.type !== 'Identifier')
        throw new TemplateError(`the macro ${name} has an invalid parameter`)
      const key = isKeyword ? parameter.key.value : parameter.value
      let value = index < given.positional.length ? given.positional[index] : rest.get(key)
      rest.delete(key)
      if (value === undefined && isKeyword) value = evaluate(parameter.value, scope)
      scope.set(key, value)
    }
    scope.set('varargs', makeTuple(given.positional.slice(parameters.length)))
    scope.set('caller', rest.get('caller'))
    rest.delete('caller')
    scope.set('kwargs', rest)
  }
}

/** Collects the output of a template, up to a maximum length. */
class Output {
  readonly #budget: Budget
  #text = ''

  constructor(budget: Budget) {
    this.#budget = budget
  }

  get text(): string {
    return this.#text
  }

  write(text: string): void {
    this.#budget.spend(text.length)
    this.#budget.fits(this.#text.length + text.length)
    this.#text += text
  }
}

function loopFacts(items: readonly Value[], index: number): Namespace {
  const { length } = items
  return new Namespace([
    ['index', index + 1],
    ['index0', index],
    ['revindex', length - index],
    ['revindex0', length - index - 1],
    ['first', index === 0],
    ['last', index === length - 1],
    ['length', length],
    ['depth', 1],
    ['depth0', 0],
    ['previtem', items[index - 1]],
    ['nextitem', items[index + 1]],
    ['cycle', new Callable('cycle', ({ positional }) => positional[index % positional.length])],
  ])
}
