import type {
  Case,
  CommandNode,
  CompoundList,
  Function as Definition,
  If,
  ParsedScript,
  PipelineNode,
  Redirection,
  Statement,
  AndOr,
  Word,
  Assignment,
  For,
  Select,
  Command as SimpleNode,
} from 'unbash'
import { covers } from './coverage.ts'
import {
  foldersAfter,
  anyOf,
  sameFolders,
  staysIn,
  withoutPrintedNames,
  type CommandOutcome,
  type PossibleFolders,
} from './outcome.ts'
import { levels } from './reach.ts'
import { printed, printedNames } from './printed.ts'
import type { Program } from './program.ts'
import { isOwnVariable, isSafeAssignment } from './programs/assignments.ts'
import { programNamed } from './programs/index.ts'
import { printedHash } from './substitution.ts'
import { expandGlob, patternOf, type Pattern } from './expand-glob.ts'
import { shownWord } from './pattern.ts'
import { readRedirect } from './redirect.ts'
import {
  add,
  addMisread,
  assign,
  grouped,
  mayWalk,
  nested,
  placed,
  staleIn,
  takesTurn,
  withoutInputNames,
  type Scope,
} from './scope.ts'
import { addOperation, addSimpleCommand } from './simple-command.ts'
import { addTestCommand } from './test-command.ts'
import {
  GLOB,
  mayLeaveFolder,
  forEachScript,
  readWord,
  type ScriptKind,
  type WordValue,
  type WordContext,
} from './word.ts'

/** The simplest form of braces: one list of plain strings in an unquoted word. */
const LIST = /^([\w./@%+:=*?-]*)\{([\w./@%+:=*?-]*(?:,[\w./@%+:=*?-]*)+)\}([\w./@%+:=*?-]*)$/

const RANGE = /^([\w./@%+:=*?-]*)\{(\d{1,4})\.\.(\d{1,4})\}([\w./@%+:=*?-]*)$/

const MAX = 100

/** Collects the commands of a parsed script. Returns the shell's folder afterwards. */
export function walkScript(script: ParsedScript, scope: Scope): CommandOutcome {
  const inner =
    script.source === undefined ? scope : { ...scope, source: script.source, editable: false }
  for (const error of script.errors ?? []) addMisread(scope, `cannot be parsed: ${error.message}`)
  const [start, end] =
    script.source === undefined ? [script.pos, script.end] : [0, script.source.length]
  if (!covers(script, inner.source, start, end))
    addMisread(scope, 'bash may read part of it differently')
  scope.found.judged.add(script)
  return statements(script.commands, inner)
}

/** Visits a script that cannot change the surrounding shell's folder. */
export function walkApart(
  script: ParsedScript | undefined,
  scope: Scope,
  kind: ScriptKind = 'other',
): void {
  if (!script) scope.found.doubts.add('contains a substitution that cannot be parsed')
  if (kind === 'process') scope.found.concurrent = true
  // Positions in backticks are not positions in the text.
  const editable = scope.editable && kind !== 'other'
  const inner = script && nested(withoutInputNames(scope), { editable, certain: false })
  if (inner) walkScript(script, inner)
}

/** The context of the words in a scope. */
export const wordContext = (scope: Scope): WordContext => ({
  home: scope.fileSystem.home,
  variables: scope.variables,
  assigned: scope.found.assigned,
  judged: scope.found.judged,
  script: (script, kind) => walkApart(script, scope, kind),
})

function statements(list: readonly Statement[], outer: Scope): CommandOutcome {
  // Names in input and output are tracked only for a single command.
  const scope = list.length > 1 ? withoutInputNames(outer) : outer
  let outcome = staysIn(scope.folders)
  for (const statement of list) {
    const certain = scope.certain && !statement.background
    const here: Scope = { ...scope, folders: foldersAfter(outcome), certain }
    const result =
      statement.command.type === 'AndOr'
        ? andOr(statement.command, here)
        : pipeline(statement.command, here)
    if (statement.background) scope.found.concurrent = true
    outcome = statement.background ? staysIn(here.folders) : result
  }
  return list.length > 1 ? withoutPrintedNames(outcome) : outcome
}

const compound = (list: CompoundList, scope: Scope): CommandOutcome =>
  statements(list.commands, scope)

function andOr(node: AndOr, outer: Scope): CommandOutcome {
  const scope = withoutInputNames(outer)
  let outcome: CommandOutcome | undefined
  node.commands.forEach((command, index) => {
    if (!outcome) return (outcome = pipeline(command, scope))
    const and = node.operators[index - 1] === '&&'
    const folders = and ? outcome.success : outcome.failure
    const next = pipeline(command, { ...scope, folders, certain: false })
    return (outcome = and
      ? { success: next.success, failure: anyOf(outcome.failure, next.failure) }
      : { success: anyOf(outcome.success, next.success), failure: next.failure })
  })
  return outcome ?? staysIn(scope.folders)
}

function pipeline(node: PipelineNode, outer: Scope): CommandOutcome {
  if (node.type !== 'Pipeline') return command(node, outer)
  const isPipe = node.commands.length > 1
  const scope = isPipe ? { ...grouped(outer, node.pos, false), certain: false } : outer
  if (node.commands.length === 1) {
    const outcome = command(node.commands[0]!, scope)
    const negations = node.prefixes.filter((prefix) => prefix.type === 'Negation')
    return negations.length % 2 ? { success: outcome.failure, failure: outcome.success } : outcome
  }
  let names: CommandOutcome['names']
  node.commands.forEach((part, index) => {
    const before = node.commands[index - 1]
    const input = before && printed(before)
    const outcome = command(
      part,
      before ? { ...scope, piped: true, fed: true, input: input ?? scope.input, names } : scope,
    )
    const texts = printedNames(part)
    names = outcome.names ?? (texts && { paths: texts })
    // Error messages are not names.
    if (node.operators[index] === '|&') names = undefined
  })
  return staysIn(scope.folders)
}

/** Commands that read their input once, as a whole. */
const READ_ONCE: ReadonlySet<CommandNode['type']> = new Set([
  'Command',
  'Redirected',
  'Subshell',
  'BraceGroup',
])

function command(node: CommandNode, outer: Scope): CommandOutcome {
  const certain = outer.certain && node.type === 'Command'
  const scope = nested(READ_ONCE.has(node.type) ? outer : withoutInputNames(outer), { certain })
  if (!scope || !mayWalk(scope)) return staysIn(outer.folders)
  switch (node.type) {
    case 'Command':
      return simple(node, scope)
    case 'Redirected': {
      const redirected = redirects(node.redirects, placed(scope, node))
      for (const doubt of redirected.doubts) scope.found.doubts.add(doubt)
      const { success, failure } = command(node.command, withInput(scope, redirected))
      // If a redirection fails, the command does not run.
      return { success, failure: anyOf(scope.folders, failure) }
    }
    case 'Subshell':
      // Bash first parses `((` as arithmetic, and loses here-documents when it parses it again as
      // two subshells. The same applies to `<((`.
      if (scope.source.startsWith('((', node.pos) || scope.source[node.pos - 1] === '(')
        scope.found.doubts.add('`((` is not arithmetic')
      compound(node.body, scope)
      return staysIn(scope.folders)
    case 'BraceGroup':
      return compound(node.body, scope)
    case 'If':
      return ifCommand(node, scope)
    case 'While': {
      const inner = grouped(scope, node.pos, true)
      const clause = compound(node.clause, inner)
      return loop(compound(node.body, { ...inner, folders: foldersAfter(clause) }), scope)
    }
    case 'For':
    case 'Select':
      return forCommand(node, scope)
    case 'ArithmeticFor':
      scope.found.doubts.add('arithmetic')
      forEachScript(node, (script) => walkApart(script, scope))
      return loop(compound(node.body, grouped(scope, node.pos, true)), scope)
    case 'Case':
      return caseCommand(node, scope)
    case 'Function':
      return functionCommand(node, scope)
    case 'Coproc':
      if (node.body.type === 'CompoundList') compound(node.body, scope)
      else command(node.body, scope)
      scope.found.doubts.add('runs a coprocess')
      scope.found.concurrent = true
      return staysIn(scope.folders)
    case 'TestCommand':
      addTestCommand(node, scope, wordContext(scope))
      return staysIn(scope.folders)
    case 'ArithmeticCommand':
      forEachScript(node, (script) => walkApart(script, scope))
      scope.found.doubts.add('arithmetic')
      return staysIn(scope.folders)
    default:
      scope.found.doubts.add(`contains unsupported syntax: ${(node as CommandNode).type}`)
      return staysIn([undefined])
  }
}

function simple(node: SimpleNode, outer: Scope): CommandOutcome {
  const scope = placed(outer, node)
  const around = wordContext(scope)
  const program = node.name && programNamed(node.name.value)
  const setsFor = program?.prefixes
  const doubts = node.prefix.flatMap((part) =>
    part.type === 'Assignment' ? assigned(part, around, { alone: !node.name, setsFor }) : [],
  )
  if (!node.name && doubts.length === 0)
    for (const part of node.prefix) if (part.type === 'Assignment') assign(scope, part.name)
  const read = node.name ? [argument(node.name, around)] : []
  for (const word of node.args) {
    const names = expanded(word, scope)
    if (names) read.push(...names)
    else read.push(argument(word, around))
  }
  const words = program ? withHashes(read, program) : read
  const redirected = redirects(node.redirects, scope)
  const text = scope.source.slice(node.pos, node.end)
  const all = [...doubts, ...redirected.doubts]
  if (!words.length) {
    add(scope, { text, words: [], doubts: all, idle: true })
    return staysIn(scope.folders)
  }
  const here = withInput(scope, redirected)
  const shown = [node.name, ...node.args].some((word) => word && isExpanded(word, scope))
  const simple = {
    text,
    doubts: all,
    shown: shown ? shownWords(words) : undefined,
    inlineInput: redirected.inlineInput ? true : undefined,
  }
  const outcome = addSimpleCommand({ ...simple, words }, here)
  const certain = words.filter(({ optional }) => !optional)
  if (certain.length < words.length) addSimpleCommand({ ...simple, words: certain }, here)
  return node.redirects.every(isSilence) ? outcome : withoutPrintedNames(outcome)
}

/**
 * The expansion of braces or a pattern of file names. It is printed in place of the pattern, so
 * that no file created later is used. Undefined if the word is neither, or if the names are
 * unknown.
 */
function expanded(word: Word | Assignment, scope: Scope): readonly WordValue[] | undefined {
  if (word.type !== 'Word') return undefined
  const braces = expandBraces(word.text)
  const isGlob = word.parts?.some((part) => part.type === 'Glob' || part.type === 'ExtendedGlob')
  scope.found.patterns ||= isGlob ?? false
  if (!braces && !isGlob) return undefined
  const patterns = braces?.map((text) => ({ text, pattern: text })) ?? [patternOf(word)]
  const globs = patterns.map((pattern) => pattern && namesOf(pattern, scope))
  if (globs.includes(undefined)) return undefined
  const words = globs.flatMap((glob) => glob!)
  const { expanded } = scope.found
  const values = words.map(({ value }) => value!)
  if ((expanded.get(word) ?? values).join('\0') !== values.join('\0'))
    scope.found.doubts.add('has a pattern that matches different files in each iteration of a loop')
  expanded.set(word, values)
  return words
}

/**
 * The names that match a pattern, or the text itself if it is not a pattern. Undefined if the names
 * are unknown.
 */
function namesOf({ pattern, text }: Pattern, scope: Scope): readonly WordValue[] | undefined {
  const plain = { doubts: [], loose: [], whole: true }
  if (!/[*?[]/.test(pattern)) return [{ value: text, ...plain }]
  const [folder, another] = scope.folders
  if (folder === undefined || another !== undefined || !scope.editable || staleIn(scope))
    return undefined
  const glob = expandGlob({ pattern, text }, folder, scope.fileSystem, scope.found.names)
  for (const path of glob?.folders ?? [])
    scope.found.compared.push({
      ...{ kind: 'list', path, cwd: folder, because: text, implied: true },
    })
  return glob?.names.map((value) => ({
    ...plain,
    value,
    // The pattern itself may be an option: `--include=*.ts`.
    doubts: value.startsWith('-') && value !== text ? [MAY_BE_OPTION] : [],
  }))
}

/**
 * The words with a placeholder for each hash. Only git commands that take commits certainly treat
 * it as a commit. There may be a file with that name, but then git refuses the word.
 */
function withHashes(words: readonly WordValue[], program: Program): readonly WordValue[] {
  if (program.obeys !== 'repository' || !words.some(({ hash }) => hash)) return words
  const filled = words.map((word) => word.hash ?? word)
  const values = filled.map(({ value }) => value)
  return levels(values, program).at(-1)!.usage.past === undefined ? words : filled
}

/** True if the original word differs from the judged words. */
const isExpanded = (word: Word | Assignment, { found, variables }: Scope): boolean =>
  word.type === 'Word' &&
  (found.expanded.has(word) || (variables.size > 0 && word.text.includes('$')))

const shownWords = (words: readonly WordValue[]): string =>
  words.map(({ value }) => (value === undefined ? '…' : shownWord(value))).join(' ')

const MAY_BE_OPTION = 'a file name that may be read as an option'

/** `2>/dev/null` */
const isSilence = (redirect: Redirection): boolean =>
  redirect.type === 'Redirect' &&
  redirect.operator === '>' &&
  redirect.target?.value === '/dev/null'

function argument(word: Word | Assignment, around: WordContext): WordValue {
  if (word.type === 'Word') {
    // Also visits the scripts in the word.
    const read = readWord(word, around)
    const hash = printedHash(word, around)
    return hash ? { ...read, hash } : read
  }
  const doubts = assigned(word, around, {})
  const value =
    word.value.type === 'Word'
      ? readWord(word.value, { ...around, script: () => {} }).value
      : undefined
  return {
    value: value === undefined ? undefined : `${word.name}=${value}`,
    doubts,
    loose: [],
    whole: true,
  }
}

/** Reasons why an assignment may not be harmless. */
function assigned(
  node: Assignment,
  around: WordContext,
  { alone = false, setsFor }: { readonly alone?: boolean; readonly setsFor?: string | undefined },
): string[] {
  if (node.index) forEachScript(node.index, around.script)
  if (node.value.type !== 'Word') {
    forEachScript(node.value, around.script)
    return [`sets ${node.name}`]
  }
  const { value, doubts, loose } = readWord(node.value, around)
  const isPlain = !doubts.length && !node.index && !node.append
  // Only this script uses its own variables, and their values remain unknown.
  if (alone && isPlain && isOwnVariable(node.name) && !around.variables.has(node.name)) return []
  if (isPlain && setsFor?.split(' ').includes(node.name) && value !== undefined) return []
  // A `*` in a value stays literal: it isn't expanded to file names.
  const text = loose.every((why) => why === GLOB) ? (value ?? node.value.text) : value
  return isPlain && text !== undefined && isSafeAssignment(node.name, text)
    ? []
    : [`sets ${node.name}`]
}

function redirects(list: readonly Redirection[], scope: Scope): Redirects {
  if (list.length === 0) return NOT_REDIRECTED
  const doubts: string[] = []
  let input: string | undefined
  let [inlineInput, feeds] = [false, false]
  for (const redirect of list) {
    scope.found.judged.add(redirect)
    const read = readRedirect(redirect, scope.folders, wordContext(scope))
    doubts.push(...read.doubts)
    for (const operation of read.operations) addOperation(scope, operation)
    input = read.input ?? input
    inlineInput ||= read.inlineInput ?? false
    const { descriptor } = redirect
    const isInput = descriptor?.type === 'FileDescriptor' && descriptor.value === 0
    feeds ||= read.inlineInput === true || redirect.operator.startsWith('<') || isInput
  }
  return {
    doubts,
    feeds,
    input,
    inlineInput: inlineInput || undefined,
  }
}

interface Redirects {
  readonly doubts: readonly string[]
  readonly input?: string
  readonly inlineInput?: boolean
  /** True if it replaces the input from a pipe. */
  readonly feeds: boolean
}

const NOT_REDIRECTED: Redirects = { doubts: [], feeds: false }

/** The scope of a command with redirected input. */
function withInput(scope: Scope, { feeds, input }: Redirects): Scope {
  if (!feeds) return scope
  // Some programs search the folder if their input is not a pipe.
  return { ...scope, piped: false, fed: true, input, names: undefined }
}

function ifCommand(node: If, scope: Scope): CommandOutcome {
  let clause = compound(node.clause, scope)
  const ends: PossibleFolders[] = [
    foldersAfter(compound(node.then, { ...scope, folders: clause.success })),
  ]
  for (const elif of node.elif) {
    clause = compound(elif.clause, { ...scope, folders: clause.failure })
    ends.push(foldersAfter(compound(elif.then, { ...scope, folders: clause.success })))
  }
  ends.push(
    node.else
      ? foldersAfter(compound(node.else, { ...scope, folders: clause.failure }))
      : clause.failure,
  )
  return staysIn(anyOf(...ends))
}

function forCommand(node: For | Select, scope: Scope): CommandOutcome {
  const around = wordContext(scope)
  const words = node.wordlist?.flatMap(
    (word) =>
      (node.type === 'For' ? expanded(word, placed(scope, word)) : undefined) ?? [
        readWord(word, around),
      ],
  )
  addDoubts(words ?? [], scope)
  const turn = grouped(scope, node.body.pos, true)
  const name = node.name.value
  if (node.type === 'Select') scope.found.doubts.add('asks the user to choose')
  // Only a name that no program uses is safe: `for PATH in …` sets it.
  if (!isOwnVariable(name) || scope.variables.has(name)) scope.found.doubts.add(`sets ${name}`)
  const values = node.type === 'For' && isOwnVariable(name) ? words && valuesOf(words) : undefined
  const variables = new Map(scope.variables)
  if (values && values.length > 0 && values.length <= MAX_TURNS) {
    let outcome = staysIn(scope.folders)
    for (const value of values) {
      // Nested loops would take too long.
      if (!takesTurn(scope)) break
      variables.set(name, value)
      outcome = loop(compound(node.body, { ...turn, variables: new Map(variables) }), scope)
    }
    return outcome
  }
  const isPlain = values?.every((value) => !value.split(/\s/).some(mayLeaveFolder))
  if (isPlain) variables.set(name, undefined)
  else if (isOwnVariable(name)) {
    variables.delete(name)
    assign(scope, name)
  }
  return loop(compound(node.body, { ...turn, variables }), scope)
}

/** Words are expanded even if they are not used, and arithmetic in them runs code. */
function addDoubts(words: readonly WordValue[], { found }: Scope): void {
  for (const doubt of words.flatMap(({ doubts }) => doubts)) found.doubts.add(doubt)
}

/**
 * The maximum number of iterations that are judged one by one. In longer loops, the value of the
 * variable is unknown.
 */
const MAX_TURNS = 50

/** The values that a loop iterates over, or undefined if one is unknown. */
function valuesOf(words: readonly WordValue[]): readonly string[] | undefined {
  const values = words.flatMap(({ value, doubts, loose }) =>
    value === undefined || doubts.length > 0 || loose.length > 0 ? [] : [value],
  )
  return values.length === words.length ? values : undefined
}

function loop(outcome: CommandOutcome, scope: Scope): CommandOutcome {
  const folders = foldersAfter(outcome)
  if (sameFolders(folders, scope.folders)) return staysIn(folders)
  scope.found.doubts.add('changes the folder in a loop')
  return staysIn([undefined])
}

function caseCommand(node: Case, scope: Scope): CommandOutcome {
  const around = wordContext(scope)
  const read = [node.word, ...node.items.flatMap((item) => item.pattern)].map((word) =>
    readWord(word, around),
  )
  addDoubts(read, scope)
  if (read[0]?.value === undefined)
    scope.found.doubts.add('the word of a case command is unknown until it runs')
  const ends: PossibleFolders[] = [scope.folders]
  let start = scope.folders
  for (const { body, terminator } of node.items) {
    const end = foldersAfter(compound(body, { ...scope, folders: start }))
    ends.push(end)
    // After `;&` and `;;&`, the next item starts in the folder where this item ended.
    start = terminator === ';;' || !terminator ? scope.folders : anyOf(scope.folders, end)
  }
  return staysIn(anyOf(...ends))
}

function functionCommand(node: Definition, scope: Scope): CommandOutcome {
  scope.found.doubts.add('defines a function')
  const inner: Scope = { ...scope, folders: [...scope.folders, undefined] }
  if (node.body.type === 'CompoundList') compound(node.body, inner)
  else command(node.body, inner)
  return staysIn(scope.folders)
}

/**
 * The expansion of braces to words, which may be patterns: `a.{ts,js}`, `{1..3}`. Undefined for
 * more complex braces.
 */
function expandBraces(text: string): readonly string[] | undefined {
  if (!text.includes('{')) return undefined
  const [, before = '', items, after = ''] = LIST.exec(text) ?? []
  const words = items?.split(',').map((item) => before + item + after)
  if (words) return words.every(Boolean) && words.length <= MAX ? words : undefined
  const [, head = '', from = '', to = '', tail = ''] = RANGE.exec(text) ?? []
  // A leading zero gives all numbers the same length.
  if (from === '' || /^0\d/.test(from) || /^0\d/.test(to)) return undefined
  const count = Math.abs(Number(to) - Number(from)) + 1
  if (count > MAX) return undefined
  const step = Number(from) <= Number(to) ? 1 : -1
  return Array.from({ length: count }, (_, at) => `${head}${Number(from) + at * step}${tail}`)
}
