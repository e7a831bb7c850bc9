import type { Configured } from '../alias/alias.ts'
import { checkCall, type OtherTools, type PermissionCall } from './call.ts'
import type { Decision, Part } from './decision.ts'
import type { Protection } from '../path/protected.ts'
import { inMode, type Mode } from './mode.ts'
import { partsOf } from './parts.ts'
import type { Rule, RuleProblem } from './rule.ts'
import { ambiguity, weakness } from './trust.ts'
import { strictest } from './verdict.ts'
import type { World } from './world.ts'

/** What may run. */
export interface Permissions extends Configured, Protection {
  readonly rules: readonly Rule[]
  /** Rules that cannot be understood: while there are any, nothing runs. */
  readonly problems?: readonly RuleProblem[]
  /** Why nothing is allowed without asking, such as settings that cannot be read. */
  readonly doubt?: string
  readonly mode?: Mode
  /** Whether there is someone to ask; true if not told. */
  readonly interactive?: boolean
  /** Tools beside the canonical ones. */
  readonly tools?: OtherTools
}

/** Whether a call may run, and why. It never throws, runs nothing and asks nobody. */
export function decide(call: PermissionCall, permissions: Permissions, world: World): Decision {
  const { problems = [], mode = 'default', interactive = true } = permissions
  const [problem] = problems
  if (problem) return refused(call, wrong(problem))
  const checked = checkCall(call, permissions.tools, permissions)
  if (typeof checked === 'string') return refused(call, checked)
  if (call.trust?.complete === false) return refused(call, 'The call was cut off.')
  const doubled = ambiguity(call.trust)
  if (doubled !== undefined) return refused(call, doubled)

  const judged = partsOf(checked, permissions, world)
  const doubts = [
    permissions.doubt,
    checked.access.readOnly ? undefined : doubtIn(weakness(call.trust)),
  ]
  for (const doubt of doubts) {
    if (doubt !== undefined && !checked.access.harmless)
      judged.push({ what: checked.name, verdict: 'ask', why: doubt })
  }
  const parts = judged
    .map((part) => inMode(part, mode, checked))
    .map((part) => (interactive ? part : unasked(part)))
  const verdict = strictest(parts.map((part) => part.verdict))
  const deciding = parts.find((part) => part.verdict === verdict)!
  return { ...deciding, parts }
}

function wrong({ text, problem, source: { file, line } }: RuleProblem): string {
  const where = file === undefined ? '' : `${file}:${line ?? 1}: `
  return `${where}The rule ${text} is wrong: ${problem}`
}

function doubtIn(weak: string | undefined): string | undefined {
  return weak === undefined ? undefined : `it is not sure that the model meant this call: ${weak}`
}

function unasked(part: Part): Part {
  if (part.verdict !== 'ask') return part
  const why = `${part.why}; and there is nobody to ask`
  return { ...part, verdict: 'deny', why, unasked: true }
}

function refused(call: PermissionCall, error: string): Decision {
  const what = typeof call.name === 'string' ? call.name.slice(0, 80) : 'the call'
  const part: Part = { what, verdict: 'deny', why: error }
  return { ...part, parts: [part], error }
}
