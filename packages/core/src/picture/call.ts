import type { Interpreter } from './interpreter.ts'
import { measure, weigh } from './measure.ts'
import { type Place, quoted } from './problems.ts'
import type { Shape } from './shapes.ts'
import type { Node } from './syntax.ts'
import { Closure, FAILED, isHole, Native } from './values.ts'

/** The result of calling a function with these arguments. */
export function call(
  interpreter: Interpreter,
  callee: unknown,
  args: readonly unknown[],
  node: Place & { readonly of?: Node; readonly args?: readonly Node[] },
): unknown {
  if (callee === FAILED || args.includes(FAILED)) return FAILED
  if (callee instanceof Closure) return interpreter.run(callee, args, node)
  if (!(callee instanceof Native))
    return interpreter.fail('This is not a function.', node.of ?? node)
  // Measured first, because the shapes walk through the arguments.
  const weight = measure(interpreter, args, node)
  const problem = argumentProblem(callee, args)
  if (problem) return interpreter.fail(problem.message, node.args?.[problem.at] ?? node)
  const result = applyNative(interpreter, () => callee.run(args), node)
  if (isHole(result)) weigh(result, weight)
  return result
}

/** The problem with the arguments of a native function, and the index of the wrong one. */
export function argumentProblem(
  { name, needed, optional }: Native,
  args: readonly unknown[],
): { message: string; at: number } | undefined {
  if (needed === undefined) return undefined
  if (name === 'wire') return { message: 'Draw with a template: wire`…`.', at: 0 }
  const shapes: readonly Shape[] = [...needed, ...optional]
  if (args.length > shapes.length)
    return { message: `${quoted(name)} takes ${howMany(shapes.length)}.`, at: shapes.length }
  for (const [at, shape] of shapes.entries()) {
    if (args[at] === undefined && at >= needed.length) continue
    const expected = shape(args[at])
    if (expected !== undefined) return { message: `${quoted(name)} expects ${expected}.`, at }
  }
  return undefined
}

function howMany(count: number): string {
  if (count === 0) return 'no arguments'
  return count === 1 ? 'one argument' : `${count} arguments`
}

/** The result of a native function. If it throws, a problem is reported. */
export function applyNative(interpreter: Interpreter, work: () => unknown, place: Place): unknown {
  let result: unknown
  try {
    result = work()
  } catch (error) {
    // Errors thrown by `wire` explain the problem with a picture; other errors are not written for
    // users.
    const isSaid = error instanceof TypeError && error.message.startsWith('A picture ')
    return interpreter.fail(isSaid ? error.message : 'This cannot be evaluated.', place)
  }
  if (typeof result === 'string') interpreter.spent(place, result.length / 32)
  return result
}
