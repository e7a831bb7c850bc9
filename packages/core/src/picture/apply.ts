import { applyNative, call } from './call.ts'
import type { Interpreter } from './interpreter.ts'
import { indentOf, isData, measure } from './measure.ts'
import { close, LIST_METHODS, memberOf, noMethod, TEXT_METHODS } from './members.ts'
import { quoted } from './problems.ts'
import type { Node } from './syntax.ts'
import { Closure, ENDED, FAILED, Native, REFUSED, type Scope } from './values.ts'

type CallNode = Node & { type: 'call' }

/** The result of a call. */
export function apply(interpreter: Interpreter, node: CallNode, scope: Scope): unknown {
  const { of } = node
  if (of.type === 'member') {
    if (isStringify(of, scope)) return stringify(interpreter, node, scope)
    const owner = interpreter.value(of.of, scope)
    if (owner === ENDED) return ENDED
    const key = interpreter.value(of.name, scope)
    if (Array.isArray(owner) || typeof owner === 'string')
      return method(interpreter, node, owner, key, scope)
    const callee = memberOf(interpreter, of, owner, key)
    if (callee === ENDED) return ENDED
    return call(interpreter, callee, argumentsOf(interpreter, node, scope), node)
  }
  const callee = interpreter.value(of, scope)
  if (callee === ENDED) return ENDED
  return call(interpreter, callee, argumentsOf(interpreter, node, scope), node)
}

function argumentsOf(interpreter: Interpreter, node: CallNode, scope: Scope): unknown[] {
  return node.args.map((arg) => interpreter.value(arg, scope))
}

/** True for `JSON.stringify`, unless the file declares its own `JSON`. */
export function isStringify(of: Node, scope: Pick<Scope, 'has'>): boolean {
  return (
    of.type === 'member' &&
    of.of.type === 'name' &&
    of.of.name === 'JSON' &&
    of.name.type === 'literal' &&
    of.name.value === 'stringify' &&
    !scope.has('JSON')
  )
}

function stringify(interpreter: Interpreter, node: CallNode, scope: Scope): unknown {
  const [value, replacer, indent] = argumentsOf(interpreter, node, scope)
  if (value === FAILED || indent === FAILED) return FAILED
  if (replacer !== undefined && replacer !== null)
    return interpreter.fail('The replacer must be `null`.', node.args[1]!)
  measure(interpreter, value, node)
  if (!isData(interpreter, value, indentOf(indent), node))
    return interpreter.fail(
      'This must be data: strings, numbers, lists and objects.',
      node.args[0]!,
    )
  const space = typeof indent === 'number' || typeof indent === 'string' ? indent : undefined
  return applyNative(interpreter, () => JSON.stringify(value, null, space), node)
}

function method(
  interpreter: Interpreter,
  node: CallNode,
  owner: string | readonly unknown[],
  key: unknown,
  scope: Scope,
): unknown {
  const isList = typeof owner !== 'string'
  const methods = isList ? LIST_METHODS : TEXT_METHODS
  const name = node.of.type === 'member' ? node.of.name : node.of
  if (key === FAILED) return FAILED
  if (typeof key !== 'string' || !methods.includes(key) || REFUSED.has(key))
    return interpreter.fail(
      typeof key === 'string' ? noMethod(key, isList) : 'This must be the name of a member.',
      name,
    )
  const args = argumentsOf(interpreter, node, scope)
  if (args.includes(FAILED)) return FAILED
  interpreter.spend(node, isList ? owner.length : owner.length / 32)
  if (typeof owner === 'string') return textMethod(interpreter, owner, key, args, node)
  return listMethod(interpreter, owner, key, args, node)
}

function textMethod(
  interpreter: Interpreter,
  owner: string,
  key: string,
  args: readonly unknown[],
  node: CallNode,
): unknown {
  if (key === 'slice') return slice(interpreter, owner, args, node)
  const plain = key as 'trim' | 'trimStart' | 'trimEnd' | 'toUpperCase' | 'toLowerCase'
  return owner[plain]()
}

function slice(
  interpreter: Interpreter,
  owner: string | readonly unknown[],
  [from, to]: readonly unknown[],
  node: CallNode,
): unknown {
  const fits = [from, to].every((each) => each === undefined || typeof each === 'number')
  if (!fits) return interpreter.fail('`slice` expects numbers.', node)
  return owner.slice(from as number | undefined, to as number | undefined)
}

function listMethod(
  interpreter: Interpreter,
  owner: readonly unknown[],
  key: string,
  args: readonly unknown[],
  node: CallNode,
): unknown {
  if (key === 'slice') return slice(interpreter, owner, args, node)
  const [given = ','] = args
  if (key === 'join') {
    if (typeof given !== 'string') return interpreter.fail('`join` expects a string.', node)
    const texts = owner.map((each) =>
      each === undefined || each === null ? '' : interpreter.printed(each, node),
    )
    if (texts.includes(FAILED)) return FAILED
    const length = (texts as string[]).reduce((sum, text) => sum + text.length + given.length, 0)
    interpreter.spend(node, length / 32)
    return texts.join(given)
  }
  const callback = args[0]
  const place = { from: node.from, to: node.to, of: node.args[0] ?? node }
  const problem = callbackProblem(callback)
  if (problem !== undefined) return interpreter.fail(problem, place.of)
  const results = owner.map((each, at) =>
    call(interpreter, callback, callback instanceof Closure ? [each, at, owner] : [each], place),
  )
  if (key === 'filter') return owner.filter((_, at) => results[at] && results[at] !== FAILED)
  if (results.includes(FAILED)) return FAILED
  if (key === 'map') return results
  const length = results.reduce<number>(
    (sum, each) => sum + (Array.isArray(each) ? each.length : 1),
    0,
  )
  interpreter.spend(node, length)
  return results.flat()
}

/**
 * The reason why a list method cannot call this function. It also passes the index and the list,
 * which only functions of one argument ignore.
 */
function callbackProblem(callback: unknown): string | undefined {
  if (callback instanceof Closure) return undefined
  if (!(callback instanceof Native)) return 'This is not a function.'
  const { name, needed = [], optional } = callback
  return needed.length + optional.length > 1
    ? `${quoted(name)} takes several arguments: \`(each) => ${name}(each, …)\`.`
    : undefined
}

const TOOL_KEYS = ['name', 'description', 'parameters']

/** The argument of a prompt function, without any other members. */
export function promptContext(tools: readonly object[], example: string): object {
  const given = tools.map((tool) => close({ ...tool }, 'a tool', TOOL_KEYS))
  return close({ tools: given, example }, 'the argument of a prompt', ['tools', 'example'])
}
