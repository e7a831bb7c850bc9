import { analyze } from '../shell/analyze.ts'
import { foldersAfterCd } from '../shell/outcome.ts'
import { judgeCommand, ruleForText } from '../shell/judge.ts'
import { type CheckedCall, textArgument } from './call.ts'
import type { DecisionPart, RunCode } from './decision.ts'
import type { Operation } from './operation.ts'
import { realPath } from '../path/segments.ts'
import { decidedBy, type Rule } from '../rule/rule.ts'
import type { ShellCommand, ShellScript } from '../shell/script.ts'
import type { SearchableFileSystem } from './look-up.ts'
import { levels, reachesOf } from '../shell/reach.ts'
import { list, type Wrapper } from '../shell/program.ts'
import { isSelfContained, programNamed } from '../shell/programs/index.ts'
import { endsSection, findWrapped } from '../shell/wrapped.ts'

/** The verdicts on a call's actions. */
export interface JudgedParts {
  readonly parts: readonly DecisionPart[]
  /**
   * The shell command to run, or the reason why it can't be printed. Both are undefined if the call
   * has no command.
   */
  readonly runs?: string
  readonly unprinted?: string
  /** Finds the code that the shell text may run. Needed only for approval requests. */
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
    // Starting in a folder is equivalent to changing to it first.
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

/** The real path of the folder in which the call should start, or undefined if it is unknown. */
function startFolder(where: string, fileSystem: SearchableFileSystem): string | undefined {
  const [folder] = foldersAfterCd([fileSystem.cwd], where)
  return folder === undefined ? undefined : realPath(folder, fileSystem)
}

/**
 * The code that a shell command may run in addition to its own. A command that could not be
 * analyzed may run any code.
 */
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

/** The reason why a text is not a command at all. It is then denied without asking. */
function notACommand(text: string): string | undefined {
  if (text.includes('\0')) return 'contains a NUL character, where a shell would cut it off'
  return text.trim() === '' ? 'the command is empty' : undefined
}

/**
 * True if a part is reported. A guessed command, or a word that may be a file, is reported only if
 * something forbids it.
 */
function isReported({ subject, verdict }: DecisionPart): boolean {
  if (verdict !== 'allow' || !subject) return true
  return 'kind' in subject ? !subject.implied : !subject.guess
}

/**
 * Applies rules that match the whole text exactly. They allow the parts that need approval only
 * because no rule covers them.
 */
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

/** Allows the purpose of an allowed command, unless something forbids it. */
function allowImplied(part: DecisionPart, operation: Operation): DecisionPart {
  if (!operation.implied || part.verdict !== 'ask' || part.rule || part.firm) return part
  const isLook = operation.kind === 'read' || operation.kind === 'list'
  if (!isLook && !part.unspoken) return part
  return { ...part, verdict: 'allow', why: 'allowed together with the command' }
}

/**
 * The code that a command may run in addition to its own text: `any` code in its folder, or only
 * `known` code, which is the hooks and settings of a repository. Undefined if it runs no other
 * code. A command is assumed to run any code unless the tables say that it runs none.
 */
type CodeKind = 'any' | 'known' | undefined

/**
 * The code that a command may run in one of these folders. Commands inside a wrapper are judged
 * separately.
 */
function codeRunBy(
  { words, doubts, reach, guess, wraps, idle }: ShellCommand,
  folders: readonly string[],
  fileSystem: SearchableFileSystem,
): CodeKind {
  if (guess || wraps || (idle && doubts.length === 0 && reach === undefined)) return undefined
  const program = words[0] === undefined ? undefined : programNamed(words[0])
  // A variable such as LD_PRELOAD makes any program load code.
  if (!program || !isSelfContained(program) || doubts.some((doubt) => doubt.startsWith('sets ')))
    return 'any'
  const found = levels(words, program)
  const level = found.at(-1)!
  const { usage } = level
  const { wrapper } = usage
  const isPlainText = doubts.every((doubt) => UNKNOWN_WORD.test(doubt))
  if (wrapper && (wrapper.clear || wrapper.nameable)) {
    const runs = findWrapped(words, level, wrapper)
    const isListed =
      !runs || (runs.commands.length > 0 && runs.texts.length + runs.doubts.length === 0)
    return isListed && isPlainText ? undefined : 'any'
  }
  if (usage.harmless || usage.onlyReads || usage.runsNothing) {
    if (!isPlainText) return 'any'
  } else if (doubts.length > 0) return 'any'
  else if (reach !== undefined) {
    const own = withoutSections(words, wrapper)
    const outer = { ...level, to: own.length }
    const reaches = reachesOf(own, [...found.slice(0, -1), outer], true)
    if (!reaches.every(({ why }) => isInert(why))) return 'any'
  }
  if (program.obeys !== 'repository') return undefined
  const isPlain = (folder: string): boolean =>
    fileSystem.repositoryOf?.(folder)?.isPlain?.() === true &&
    // These words may or may not be file names.
    !fileSystem.obeyedByGit?.(folder).some((path) => fileSystem.identify?.(path))
  return usage.still || (folders.length > 0 && folders.every(isPlain)) ? 'known' : 'any'
}

/**
 * Doubts that mean only that a word is unknown. All other doubts, such as arithmetic, may evaluate
 * code.
 */
const UNKNOWN_WORD =
  /^(?:(?:the (?:variable|expansion|value of) )?\$(?:[\w?#@*]+|\{#?\w+\})|braces|a (?:process )?substitution|a tilde|a (?:pattern|redirection|word that is unknown) .*|words .*|text in \$.*|input in the shell text itself)$/s

/** The words of `find` without the commands that it runs. */
function withoutSections(
  words: ShellCommand['words'],
  wrapper: Wrapper | undefined,
): ShellCommand['words'] {
  const marks = list(wrapper?.sections)
  if (marks.length === 0) return words
  let isInside = false
  return words.filter((word, at) => {
    isInside ||= word !== undefined && marks.some((mark) => mark === word.split('=', 1)[0])
    const isLeftOut = isInside
    if (isInside && endsSection(words, at)) isInside = false
    return !isLeftOut
  })
}

/**
 * True if the reason for asking about a program is unrelated to running code. The name of an option
 * may precede the reason.
 */
const isInert = (why: string): boolean =>
  INERT.has(why) || INERT.has(why.slice(why.indexOf(' ') + 1))

/** Reasons in the tables that don't involve running code. */
export const INERT: ReadonlySet<string> = new Set([
  ...['writes to another file', 'writes other files', 'writes a file', 'changes files in place'],
  ...['moves files elsewhere', 'removes what it finds', 'removes files', 'removes folders'],
  ...['changes permissions or ownership', 'follows symbolic links', 'adds ignored files'],
  ...['reads the files listed in another file', 'reads file names from elsewhere'],
  ...['reads another file into a variable', 'reads files outside the repository'],
  ...['may read files outside the repository', 'searches outside the repository'],
  ...['searches the whole folder', 'compares whole folders through symbolic links'],
  ...['may show secrets in environment variables', 'shows environment variables'],
  ...['sends data', 'reads a file and sends it', 'sends its arguments to another machine'],
  ...['sends a signal', 'changes limits of the shell'],
])
