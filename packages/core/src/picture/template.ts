import { wire } from '../wire.ts'
import { applyNative } from './call.ts'
import type { Interpreter } from './interpreter.ts'
import { type Place, quoted } from './problems.ts'
import type { Node } from './syntax.ts'
import { FAILED, isHole, Native, type Scope } from './values.ts'

/** The value of a template: a string or a picture. */
export function template(
  interpreter: Interpreter,
  node: Node & { type: 'template' },
  scope: Scope,
): unknown {
  const tag = node.tag && interpreter.value(node.tag, scope)
  const values = node.holes.map((hole) => interpreter.value(hole, scope))
  if (tag === FAILED) return FAILED
  const isPicture = node.tag !== undefined
  if (isPicture && !(tag instanceof Native && tag.name === 'wire'))
    return interpreter.fail('Only `wire` draws pictures.', node.tag)
  const parts = values.map((value, at) =>
    isPicture
      ? part(interpreter, value, node.holes[at]!)
      : interpreter.printed(value, node.holes[at]!),
  )
  if (parts.includes(FAILED)) return FAILED
  const length = [...node.chunks, ...parts].reduce<number>(
    (sum, part) => sum + (typeof part === 'string' ? part.length : 1),
    0,
  )
  interpreter.spend(node, length / 32)
  if (!isPicture)
    return node.chunks.map((chunk, at) => chunk + ((parts[at] as string) ?? '')).join('')
  return applyNative(
    interpreter,
    () => wire(Object.assign([...node.chunks], { raw: [] }), ...(parts as string[])),
    node,
  )
}

/** A part of a picture: a hole or a string. */
function part(interpreter: Interpreter, value: unknown, place: Place): unknown {
  if (value === FAILED || typeof value === 'string' || isHole(value)) return value
  if (value instanceof Native && value.name !== 'wire')
    return interpreter.fail(`Call this function: ${quoted(`${value.name}(…)`)} is the hole.`, place)
  if (Array.isArray(value))
    return interpreter.fail('Pictures cannot be nested. Write `[...a, ...b]`.', place)
  return interpreter.fail('This must be a hole or a string.', place)
}
