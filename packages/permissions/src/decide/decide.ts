// Folder: The decision on a call.
import type { AliasSettings } from '../alias/aliases.ts'
import type { ToolAccess } from './canonical-tools.ts'
import {
  checkCall,
  type CheckedCall,
  type OtherTools,
  type PermissionCall,
  textArgument,
  type Trust,
  ambiguity,
  cautionAbout,
} from './call.ts'
import type { Decision, DecisionPart } from './decision.ts'
import type { ProtectionSettings } from '../path/protected.ts'
import { applyMode, type PermissionMode } from '../rule/mode.ts'
import { judgeWithLookUps, type SearchableFileSystem } from './look-up.ts'
import { partsOf } from './parts.ts'
import { type Rule, type RuleProblem, strictest } from '../rule/rule.ts'
import type { FileSystemView } from './file-system.ts'
import { isObject, wrongInput } from './wrong-input.ts'

/** The rules and options of permissions. `readRules` returns them with defaults. */
export interface Permissions extends AliasSettings, ProtectionSettings {
  readonly rules: readonly Rule[]
  /** Invalid rules. Every call is denied until they are fixed. */
  readonly problems?: readonly RuleProblem[]
  /** A reason why every call needs approval, such as invalid settings. */
  readonly doubt?: string
  /** Default: `default`. */
  readonly mode?: PermissionMode
  /** False if no person can approve calls, so that `ask` becomes `deny`. Default: true. */
  readonly interactive?: boolean
  /** Tools in addition to the canonical ones, and aliases. */
  readonly tools?: OtherTools
}

/**
 * Decides whether a call may run, and why. Never throws, runs nothing and asks no one. It reads
 * only through the given file system. For a shell command, run the decision's `runs` in bash, never
 * the text of the call.
 */
export async function decide(
  call: PermissionCall,
  permissions: Permissions,
  fileSystem: FileSystemView,
): Promise<Decision> {
  if (!isObject(call)) return refused('the call', 'The call must be an object: { name, args }.')
  const name = typeof call.name === 'string' ? call.name : 'the call'
  const wrong = wrongInput(permissions, fileSystem)
  if (wrong !== undefined) return refused(name, wrong)
  const accessOf = (each: string): ToolAccess | undefined => permissions.tools?.get(each)
  return decideChecked(
    { name, trust: call.trust },
    checkCall(call, accessOf, permissions),
    permissions,
    fileSystem,
  )
}

/**
 * Decides on a call that has already been checked. `checked` is a string if the call is invalid; it
 * describes the problem.
 */
export async function decideChecked(
  call: WrittenCall,
  checked: CheckedCall | string,
  permissions: Permissions,
  fileSystem: FileSystemView,
): Promise<Decision> {
  const wrong = wrongInput(permissions, fileSystem)
  if (wrong !== undefined) return refused(call.name, wrong)
  return judgeWithLookUps(
    fileSystem,
    (searchable) => decideAtOnce(call, checked, permissions, searchable),
    () => decideAtOnce(call, checked, withDoubt(permissions), fileSystem),
  )
}

/** A failed lookup may have been treated as a missing file. */
const withDoubt = (permissions: Permissions): Permissions => ({
  ...permissions,
  doubt: permissions.doubt ?? 'depends on more folders than can be looked up',
})

/** The form of a call. */
interface WrittenCall {
  readonly name: string
  readonly trust?: Trust | undefined
  /** True if a person must approve the call even if the rules allow it. */
  readonly asks?: boolean | undefined
}

function decideAtOnce(
  call: WrittenCall,
  checked: CheckedCall | string,
  permissions: Permissions,
  fileSystem: SearchableFileSystem,
): Decision {
  const { problems = [], mode = 'default', interactive = true } = permissions
  const [problem] = problems
  if (problem) return refused(call.name, describeProblem(problem))
  if (typeof checked === 'string') return refused(call.name, checked)
  if (call.trust?.complete === false)
    return refused(call.name, 'The reply was cut off in the middle of this call.')
  const doubled = ambiguity(call.trust)
  if (doubled !== undefined) return refused(call.name, doubled)

  const { name, args, access } = checked
  const {
    parts: judged,
    runs,
    unprinted,
    code: codeRun,
  } = partsOf(checked, permissions, fileSystem)
  const { doubt } = permissions
  const weak = access.readOnly ? undefined : cautionAbout(call.trust)
  if (doubt !== undefined && !access.harmless)
    judged.push({ what: name, verdict: 'ask', why: doubt })
  if (weak !== undefined && !access.harmless) {
    const why = `this may not be an intended tool call: ${weak}`
    judged.push({ what: name, verdict: 'ask', why, doubted: true })
  }
  const inMode = (part: DecisionPart): DecisionPart => {
    const judgedInMode = applyMode(part, mode, checked)
    return interactive ? judgedInMode : denyUnasked(judgedInMode)
  }
  const parts = judged.map(inMode)
  // Rules and defaults only allow text that is printed from the judged commands.
  if (unprinted !== undefined && parts.every((part) => part.verdict === 'allow')) {
    const what = textArgument(args, access.runs) ?? name
    parts.push(inMode({ what, verdict: 'ask', why: `${unprinted}, so it would run as written` }))
  }
  const verdict = strictest(parts.map((part) => part.verdict))
  const deciding = parts.find((part) => part.verdict === verdict)!
  const code = verdict === 'ask' || call.asks ? codeRun?.() : undefined
  return {
    ...deciding,
    parts,
    call: { name, args },
    ...(code && { code }),
    ...(runs !== undefined && { runs }),
    ...(unprinted !== undefined && { unprinted }),
  }
}

function describeProblem({ text, problem, source: { file, line } }: RuleProblem): string {
  const where = file === undefined ? '' : `${file}:${line ?? 1}: `
  return `${where}Invalid rule ${text}: ${problem}`
}

function denyUnasked(part: DecisionPart): DecisionPart {
  if (part.verdict !== 'ask') return part
  const why = `${part.why}; this needs approval, and there is nobody to ask`
  return { ...part, verdict: 'deny', why, unasked: true }
}

function refused(name: string, error: string): Decision {
  const part: DecisionPart = { what: name.slice(0, 80), verdict: 'deny', why: error }
  return { ...part, parts: [part], error }
}
