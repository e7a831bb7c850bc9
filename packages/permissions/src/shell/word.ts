import {
  forEachChild,
  type ParameterExpansionPart,
  type ParsedScript,
  type SyntaxNode,
  type Word,
} from 'unbash'
import { type ExpansionPart, type Piece, piecesOf } from './pieces.ts'
import { printedText } from './printed.ts'

/** Facts about a command's word before it runs. */
export interface WordValue {
  /** Undefined if unknown until it runs. */
  readonly value: string | undefined
  /** Reasons why the word is not plain text. */
  readonly doubts: readonly string[]
  /**
   * Further reasons, which are irrelevant to some programs: a glob, a loop variable, a
   * substitution.
   */
  readonly loose: readonly string[]
  /** True if the word remains a single word after any expansion. */
  readonly whole: boolean
  /** The output of a process substitution, if known. */
  readonly prints?: string
  /** True if the word is only a process substitution: the name of a pipe to read from. */
  readonly pipe?: boolean
  /**
   * True if the word may be any text: the output of a command, or a variable that the text has set.
   */
  readonly anything?: boolean
  /**
   * The value with a placeholder hash, if the word is the output of a command that prints a hash.
   */
  readonly hash?: WordValue
  /** True if the word may be missing, because a substitution may print nothing. */
  readonly optional?: boolean
  /** The folder in which a glob or braces are expanded. */
  readonly folder?: string
  /**
   * For an unknown word, its possible values if expansions are empty or have their default value.
   * For deny rules.
   */
  readonly guesses?: readonly string[]
}

/** The context of a word. */
export interface WordContext {
  readonly home: string
  /** The loop variables, with their value in this iteration if known. */
  readonly variables: ReadonlyMap<string, string | undefined>
  /** The variables that the text has set so far. */
  readonly assigned: ReadonlySet<string>
  /** The judged words and scripts. Nothing else is printed. */
  readonly judged: Set<object>
  /** Called with every script inside the word. */
  readonly script: (script: ParsedScript | undefined, kind?: ScriptKind) => void
}

/** The form of a script in a word: `$(…)`, `<(…)`, or any other, such as backticks. */
export type ScriptKind = 'substitution' | 'process' | 'other'

/** The reason for a pattern whose file names are unknown, so the approver does not see them. */
export const GLOB = 'a pattern of file names that is expanded when it runs'

/** Reads a word. Pieces of an unknown kind make it doubtful. */
export function readWord(word: Word, surroundings: WordContext): WordValue {
  surroundings.judged.add(word)
  if (!word.parts && !word.text.includes('~'))
    return { value: word.value, doubts: NONE, loose: NONE, whole: true }
  const state: State = {
    around: surroundings,
    doubts: [],
    loose: [],
    whole: true,
    value: '',
    text: '',
    prints: undefined,
    pipes: false,
    anything: false,
  }
  const pieces = piecesOf(word, surroundings.home)
  for (const piece of pieces) addPiece(piece, state)
  const isPattern = state.loose.some(isAboutPattern)
  if (
    isPattern &&
    (!state.loose.every(isAboutPattern) || [word.text, state.text].some(mayLeaveFolder))
  )
    state.doubts.push('a pattern that may leave the folder')
  const { value, doubts, loose, whole, prints } = state
  if (doubts.length === 0 && loose.length === 0 && prints === undefined && !state.pipes)
    return { value, doubts, loose, whole }
  return {
    value,
    doubts,
    loose,
    whole,
    prints,
    pipe: (state.pipes && pieces.length === 1) || undefined,
    anything: state.anything || undefined,
    folder: isPattern ? folderOf(word.text) : undefined,
    ...(value === undefined && { guesses: guessesOf(pieces) }),
  }
}

/** Guesses at the words that pieces may form. A default value may contain further words. */
function guessesOf(pieces: readonly Piece[]): readonly string[] {
  const joined = (withDefaults: boolean): string =>
    pieces
      .map((piece) => {
        if (piece.type === 'text') return piece.text
        const { operation } = 'part' in piece && 'operation' in piece.part ? piece.part : NOTHING
        return withDefaults && operation?.type === 'Default' ? operation.operand.value : ''
      })
      .join('')
  const [first = ''] = joined(true).trim().split(/\s+/)
  return [...new Set([joined(false), joined(true), first])].filter(Boolean)
}

const NOTHING: Pick<ParameterExpansionPart, 'operation'> = { operation: undefined }

const NONE: readonly string[] = []

const isAboutPattern = (why: string): boolean => why === GLOB || why === 'braces'

/** The folder before the first part that isn't plain. */
function folderOf(pattern: string): string {
  const [plain = ''] = /^[^*?[{(!@+$`]*/.exec(pattern.replace(/['"\\]/g, '')) ?? []
  return plain.slice(0, plain.lastIndexOf('/') + 1) || '.'
}

/**
 * True if a path, or a path that a pattern or braces expand to, may start outside the current
 * folder.
 */
export function mayLeaveFolder(text: string): boolean {
  const bare = text.replace(/['"\\]/g, '')
  if (/^[/~]|\.\./.test(bare.replace(/[{}]/g, ''))) return true
  if (!bare.includes('/')) return false
  // `.?/` and `{.,}./` may match `../`, and `{a,/b}` includes `/b`.
  return /(?:^|\/)\.[?*[{]|[{,]\/|[{,]\.+[,}]|[{,],|,\}/.test(bare)
}

/** Visits every script inside a node, but not scripts nested in scripts. */
export function forEachScript(node: SyntaxNode, visit: WordContext['script']): void {
  if (node.type === 'Script') return visit(node)
  if ((node.type === 'CommandExpansion' || node.type === 'ProcessSubstitution') && !node.script)
    visit(undefined)
  forEachChild(node, (child) => forEachScript(child, visit))
}

interface State {
  readonly around: WordContext
  readonly doubts: string[]
  readonly loose: string[]
  whole: boolean
  value: string | undefined
  /** All known text, even if the value is unknown: patterns, and the values of variables. */
  text: string
  prints: string | undefined
  pipes: boolean
  anything: boolean
}

function addPiece(piece: Piece, state: State): void {
  switch (piece.type) {
    case 'text':
      if (piece.doubt !== undefined) state.doubts.push(piece.doubt)
      return addText(state, piece.text)
    case 'expansion':
      return addExpansion(piece.part, state, piece.quoted)
    case 'pattern': {
      const { part } = piece
      forEachScript(part, state.around.script)
      const isBraces = part.type === 'BraceExpansion'
      state.text += part.text
      // Expansions in patterns are not analyzed. They may be arithmetic, which runs code.
      if (/[$`]/.test(part.text))
        addDoubt(state, `an expansion in ${isBraces ? 'braces' : 'a pattern'}`)
      return addLoose(state, isBraces ? 'braces' : GLOB, false)
    }
    case 'unknown':
      return addDoubt(state, piece.why)
  }
}

function addExpansion(part: ExpansionPart, state: State, quoted: boolean): void {
  switch (part.type) {
    case 'SimpleExpansion': {
      const name = part.text.slice(1)
      if (name === '?' || name === '#') return addLoose(state, part.text, quoted)
      return addVariable(state, name, part.text, quoted)
    }
    case 'ParameterExpansion':
      forEachScript(part, state.around.script)
      if (!part.operation && !part.prefix && !part.index)
        return addVariable(state, part.parameter, part.text, quoted)
      if (isShortened(part) && isOwnText(part.parameter, state.around)) {
        state.anything = true
        return addLoose(state, part.text, quoted)
      }
      return addDoubt(state, `the expansion ${part.text}`, quoted)
    case 'CommandExpansion':
      if (part.text.startsWith('$((')) state.doubts.push('`$((` is not arithmetic')
      state.around.script(part.script, part.text.startsWith('$(') ? 'substitution' : 'other')
      state.anything = true
      return addLoose(state, 'a substitution', quoted)
    case 'ArithmeticExpansion':
      forEachScript(part, state.around.script)
      if (/^\$\(\([\d\s+*/%()<>=!&|^~?:,-]*\)\)$/.test(part.text))
        return addLoose(state, part.text, quoted)
      return addDoubt(state, 'arithmetic', quoted)
    case 'ProcessSubstitution': {
      const text = part.script && printedText(part.script)
      if (text !== undefined) state.prints = text
      state.around.script(part.script, 'process')
      if (part.operator !== '<') return addDoubt(state, 'a process substitution')
      state.pipes = true
      return addLoose(state, 'a process substitution', false)
    }
  }
}

/** Variables of every shell that contain no secrets, so they may be printed. */
const PUBLIC = new Set([
  ...['HOME', 'PWD', 'OLDPWD', 'PATH', 'SHELL', 'USER', 'LOGNAME', 'UID', 'EUID', 'HOSTNAME'],
  ...['LANG', 'TERM', 'TMPDIR', 'BASH_VERSION', 'RANDOM', 'SECONDS'],
])

/** True if a variable has a value from this text, or one that may be printed. */
const isOwnText = (name: string, { variables, assigned }: WordContext): boolean =>
  variables.has(name) || assigned.has(name) || PUBLIC.has(name)

/** True if an expansion only removes a part of a value (`${f%.ts}`) or counts its characters. */
const isShortened = ({ prefix, index, operation }: ParameterExpansionPart): boolean =>
  index === undefined &&
  (prefix === '#'
    ? operation === undefined
    : !prefix && operation?.type === 'Remove' && /^[\w./:@,*?-]*$/.test(operation.operand.text))

/** Reasons why an expansion in a text, such as a here-document, needs approval. */
export function doubtsAbout(part: ExpansionPart, outer: WordContext): readonly string[] {
  const around: WordContext = { ...outer, script: (script) => outer.script(script) }
  const state: State = {
    ...{ around, doubts: [], loose: [], whole: true, value: '', text: '' },
    ...{ prints: undefined, pipes: false, anything: false },
  }
  addExpansion(part, state, true)
  return state.doubts
}

function addVariable(state: State, name: string, text: string, quoted: boolean): void {
  const value = state.around.variables.get(name)
  // Outside quotes, a value may be split.
  if (value !== undefined) {
    if (quoted || /^[^ \t\n]+$/.test(value)) return addText(state, value)
    return addDoubt(state, `the value of ${text}`, quoted)
  }
  if (state.around.variables.has(name)) return addLoose(state, text, quoted)
  if (state.around.assigned.has(name)) {
    state.anything = true
    return addLoose(state, text, quoted)
  }
  const kind = text.startsWith('${') ? 'expansion' : 'variable'
  if (PUBLIC.has(name)) {
    state.anything = true
    return addLoose(state, `the ${kind} ${text}`, quoted)
  }
  return addDoubt(state, `the ${kind} ${text}`, quoted)
}

function addText(state: State, text: string): void {
  state.text += text
  if (state.value !== undefined) state.value += text
}

function addDoubt(state: State, why: string, quoted = false): void {
  state.doubts.push(why)
  setUnknown(state, quoted)
}

function addLoose(state: State, why: string, quoted: boolean): void {
  state.loose.push(why)
  setUnknown(state, quoted)
}

function setUnknown(state: State, quoted: boolean): void {
  state.value = undefined
  if (!quoted) state.whole = false
}
