import type { Part } from '../permission/decision.ts'
import type { FileOperation } from '../permission/operation.ts'
import type { Rule } from '../permission/rule.ts'
import type { World } from '../permission/world.ts'

export function judgeFile(
  _rules: readonly Rule[],
  _world: World,
): (operation: FileOperation) => Part {
  return ({ because }) => ({ what: because, verdict: 'ask', why: 'path rules are not read yet' })
}
