import type { AliasSettings } from '../alias/alias.ts'
import type { ToolAccess } from './access.ts'
import {
  checkCall,
  type CheckedCall,
  type OtherTools,
  type PermissionCall,
  type Trust,
} from './call.ts'
import type { Decision, DecisionPart } from './decision.ts'
import type { ProtectionSettings } from '../path/protected.ts'
import { applyMode, type PermissionMode } from '../rule/mode.ts'
import { partsOf } from './parts.ts'
import type { Rule, RuleProblem } from '../rule/rule.ts'
import { ambiguity, doubtAbout } from './trust.ts'
import { strictest } from '../rule/verdict.ts'
import type { FileSystemView } from './file-system.ts'

/** What may run. */
export interface Permissions extends AliasSettings, ProtectionSettings {
  readonly rules: readonly Rule[]
  /** Rules that cannot be understood: while there are any, nothing runs. */
  readonly problems?: readonly RuleProblem[]
  /** Why nothing is allowed without asking, such as settings that cannot be read. */
  readonly doubt?: string
  readonly mode?: PermissionMode
  /** Whether there is someone to ask; true if not told. */
  readonly interactive?: boolean
  /** Tools beside the canonical ones; and aliases. */
  readonly tools?: OtherTools
}

/** Whether a call may run, and why. It never throws, runs nothing and asks nobody. */
export function decide(
  call: PermissionCall,
  permissions: Permissions,
  fileSystem: FileSystemView,
): Decision {
  const accessOf = (name: string): ToolAccess | undefined => permissions.tools?.get(name)
  const name = typeof call.name === 'string' ? call.name : 'the call'
  return decideChecked(
    { name, trust: call.trust },
    checkCall(call, accessOf, permissions),
    permissions,
    fileSystem,
  )
}

/** The same of a call in its tool's own words; or of one that something is wrong with. */
export function decideChecked(
  call: { readonly name: string; readonly trust?: Trust | undefined },
  checked: CheckedCall | string,
  permissions: Permissions,
  fileSystem: FileSystemView,
): Decision {
  const { problems = [], mode = 'default', interactive = true } = permissions
  const [problem] = problems
  if (problem) return refused(call.name, describeProblem(problem))
  if (typeof checked === 'string') return refused(call.name, checked)
  if (call.trust?.complete === false) return refused(call.name, 'The call was cut off.')
  const doubled = ambiguity(call.trust)
  if (doubled !== undefined) return refused(call.name, doubled)

  const { name, args, access } = checked
  const judged = partsOf(checked, permissions, fileSystem)
  const doubts = [permissions.doubt, access.readOnly ? undefined : doubtIn(doubtAbout(call.trust))]
  for (const doubt of doubts) {
    if (doubt !== undefined && !access.harmless)
      judged.push({ what: name, verdict: 'ask', why: doubt })
  }
  const parts = judged
    .map((part) => applyMode(part, mode, checked))
    .map((part) => (interactive ? part : denyUnasked(part)))
  const verdict = strictest(parts.map((part) => part.verdict))
  const deciding = parts.find((part) => part.verdict === verdict)!
  return { ...deciding, parts, call: { name, args } }
}

function describeProblem({ text, problem, source: { file, line } }: RuleProblem): string {
  const where = file === undefined ? '' : `${file}:${line ?? 1}: `
  return `${where}The rule ${text} is wrong: ${problem}`
}

function doubtIn(weak: string | undefined): string | undefined {
  return weak === undefined ? undefined : `it is not sure that the model meant this call: ${weak}`
}

function denyUnasked(part: DecisionPart): DecisionPart {
  if (part.verdict !== 'ask') return part
  const why = `${part.why}; and there is nobody to ask`
  return { ...part, verdict: 'deny', why, unasked: true }
}

function refused(name: string, error: string): Decision {
  const part: DecisionPart = { what: name.slice(0, 80), verdict: 'deny', why: error }
  return { ...part, parts: [part], error }
}
