import { analyze } from '../shell/analyze.ts'
import { foldersAfterCd } from '../shell/outcome.ts'
import { codeRunBy } from '../shell/run-code.ts'
import { judgeCommand, ruleForText } from '../shell/judge.ts'
import { type CheckedCall, textArgument } from './call.ts'
import type { DecisionPart, RunCode } from './decision.ts'
import type { Operation } from './operation.ts'
import { realPath } from '../path/real-path.ts'
import { decidedBy, type Rule } from '../rule/rule.ts'
import type { ShellCommand, ShellScript } from '../shell/script.ts'
import type { SearchableFileSystem } from './look-up.ts'

/** The verdicts on what a call does. */
export interface JudgedParts {
  readonly parts: readonly DecisionPart[]
  /** The shell text to run, or why it can't be printed. Both are undefined if the call has none. */
  readonly runs?: string
  readonly unprinted?: string
  /** The code that the shell text may run. Only those who ask a person need it. */
  readonly code?: () => RunCode | undefined
}

/** The verdicts on all commands in a shell text, and on the files and pages they name. */
export function shellParts(
  { args, access }: CheckedCall,
  rules: readonly Rule[],
  fileSystem: SearchableFileSystem,
  judge: (operation: Operation) => DecisionPart,
): JudgedParts {
  const what = textArgument(args, access.runs) ?? ''
  const nothing = notACommand(what)
  if (nothing)
    return {
      parts: [{ what: what.trim().slice(0, 80) || 'no command', verdict: 'deny', why: nothing }],
    }
  const where = textArgument(args, access.runsIn)
  const start = where === undefined ? fileSystem.cwd : startFolder(where, fileSystem)
  const script = analyze(what, fileSystem, [start])
  const doubts = script.doubts.map((why): DecisionPart => ({ what, verdict: 'ask', why }))
  if (start === undefined)
    doubts.push({ what: `in ${where}`, verdict: 'ask', why: 'starts in an unknown folder' })
  const { caseSensitive } = fileSystem
  const parts: DecisionPart[] = [
    ...doubts,
    ...script.commands.map(judgeCommand(rules, { caseSensitive })),
    // Starting in a folder is the same as changing to it first.
    ...(where === undefined
      ? []
      : [judge({ kind: 'list', path: where, cwd: fileSystem.cwd, because: 'cd' })]),
    ...script.operations.map((operation) => allowImplied(judge(operation), operation)),
  ].filter(isReported)
  if (parts.length === 0) parts.push({ what, verdict: 'ask', why: 'runs no command' })
  const { runs, unprinted } = script
  return {
    parts: applyTextRules(what, parts, rules),
    code: () => codeOf(script, fileSystem),
    runs,
    unprinted,
  }
}

/** The real path of the folder that a call names to start in; undefined if it can't be known. */
function startFolder(where: string, fileSystem: SearchableFileSystem): string | undefined {
  const [folder] = foldersAfterCd([fileSystem.cwd], where)
  return folder === undefined ? undefined : realPath(folder, fileSystem)
}

/** The code that a text may run besides its own. A text that is not understood may run any. */
function codeOf(script: ShellScript, fileSystem: SearchableFileSystem): RunCode | undefined {
  const { commands, doubts, unprinted, folders } = script
  let isKnown = false
  const isAny = (command: ShellCommand): boolean => {
    const ran = codeRunBy(command, folders, fileSystem)
    isKnown ||= ran === 'known'
    return ran === 'any'
  }
  const anything = doubts.length > 0 || unprinted !== undefined || commands.some(isAny)
  return anything || isKnown ? { anything, folders } : undefined
}

/** Why a text is no command at all, so that it is denied without asking. */
function notACommand(text: string): string | undefined {
  if (text.includes('\0')) return 'contains a NUL character, where a shell would cut it off'
  return text.trim() === '' ? 'the command is empty' : undefined
}

/** A guessed command, or a word that may be a file, is only reported if something forbids it. */
function isReported({ subject, verdict }: DecisionPart): boolean {
  if (verdict !== 'allow' || !subject) return true
  return 'kind' in subject ? !subject.implied : !subject.guess
}

/** A rule may match the whole text exactly. It then allows the parts that only ask because no rule covers them. */
function applyTextRules(
  what: string,
  parts: readonly DecisionPart[],
  rules: readonly Rule[],
): DecisionPart[] {
  for (const verdict of ['deny', 'ask'] as const) {
    const rule = ruleForText(rules, what, verdict)
    if (rule) return [...parts, { what, verdict, why: decidedBy(rule), rule }]
  }
  const rule = ruleForText(rules, what, 'allow')
  if (!rule) return [...parts]
  const why = decidedBy(rule)
  return parts.map((part) =>
    part.verdict === 'ask' && !part.rule && (part.unspoken || !isOperation(part.subject))
      ? { ...part, verdict: 'allow', why, rule }
      : part,
  )
}

function isOperation(subject: DecisionPart['subject']): boolean {
  return subject !== undefined && 'kind' in subject
}

/** What a command is for is allowed together with the command, unless something forbids it. */
function allowImplied(part: DecisionPart, operation: Operation): DecisionPart {
  if (!operation.implied || part.verdict !== 'ask' || part.rule || part.firm) return part
  const isLook = operation.kind === 'read' || operation.kind === 'list'
  if (!isLook && !part.unspoken) return part
  return { ...part, verdict: 'allow', why: 'allowed together with the command' }
}
