import { forEachChild, type ParsedScript, type SyntaxNode, type Word, type WordPart } from 'unbash'
import { endsInBash3 } from './bash3.ts'
import { hereText, printedText } from './printed.ts'

/** A word of a command, as far as it can be told before it runs. */
export interface WordValue {
  /** Undefined: it cannot be told. */
  readonly value: string | undefined
  /** Why it is not plain text. */
  readonly doubts: readonly string[]
  /** Why it is not, where the program decides whether that matters: a glob, a loop variable, a substitution. */
  readonly loose: readonly string[]
  /** It stays one word, whatever is in it. */
  readonly whole: boolean
  /** What a process substitution will print, if that is known. */
  readonly prints?: string
  /** The folder in which a glob or braces look for names. */
  readonly folder?: string
}

/** Where a word stands. */
export interface WordContext {
  readonly home: string
  /** The shell is an old one: see `endsInOldShell`. */
  readonly bash3?: boolean
  /** The variables of loops over plain words. */
  readonly loops: ReadonlySet<string>
  /** Told of every script inside the word. */
  readonly script: (script: ParsedScript | undefined) => void
}

/** Reads a word. Kinds of parts that are not known here make it doubtful. */
export function readWord(word: Word, surroundings: WordContext): WordValue {
  const { parts } = word
  if (!parts && !word.text.includes('~'))
    return { value: word.value, doubts: NONE, loose: NONE, whole: true }
  const state: State = { ...surroundings, doubts: [], loose: [], whole: true, value: '' }
  if (!parts) state.value = tilde(word, state)
  else for (const part of parts) addPart(part, state, false)
  if (parts && word.text.startsWith('~')) addDoubt(state, 'a tilde')
  const isPattern = state.loose.some((why) => why === 'a glob' || why === 'braces')
  if (isPattern && mayLeaveFolder(word.text))
    state.doubts.push('a pattern that may lead out of the folder')
  const { value, doubts, loose, whole, prints } = state
  return {
    value,
    doubts,
    loose,
    whole,
    ...(prints !== undefined && { prints }),
    ...(isPattern && { folder: folderOf(word.text) }),
  }
}

const NONE: readonly string[] = []

/** The folder that stands before the first name which is not plain. */
function folderOf(pattern: string): string {
  const [plain = ''] = /^[^*?[{(!@+$`]*/.exec(pattern.replace(/['"\\]/g, '')) ?? []
  return plain.slice(0, plain.lastIndexOf('/') + 1) || '.'
}

/** Whether a path, or one of those a pattern or braces make of it, may begin elsewhere than here. */
export function mayLeaveFolder(text: string): boolean {
  const bare = text.replace(/['"\\]/g, '')
  if (/^[/~]|\.\./.test(bare.replace(/[{}]/g, ''))) return true
  if (!bare.includes('/')) return false
  // `.?/` may be `../`; so may `{.,}./`, and `{a,/b}` is `/b`.
  return /(?:^|\/)\.[?*[{]|[{,]\/|[{,]\.+[,}]|[{,],|,\}/.test(bare)
}

/** Every script inside a node, at any depth but not inside one another. */
export function forEachScript(node: SyntaxNode, tell: WordContext['script']): void {
  if (node.type === 'Script') return tell(node)
  if ((node.type === 'CommandExpansion' || node.type === 'ProcessSubstitution') && !node.script)
    tell(undefined)
  forEachChild(node, (child) => forEachScript(child, tell))
}

interface State extends WordContext {
  readonly doubts: string[]
  readonly loose: string[]
  whole: boolean
  value: string | undefined
  prints?: string
}

function addPart(part: WordPart, state: State, quoted: boolean): void {
  switch (part.type) {
    case 'Literal':
    case 'SingleQuoted':
      return addText(state, part.value)
    case 'AnsiCQuoted':
      addText(state, part.value)
      state.doubts.push("text in $'…'")
      return
    case 'DoubleQuoted':
      for (const child of part.parts) addPart(child, state, true)
      return
    case 'LocaleString':
      for (const child of part.parts) addPart(child, state, true)
      state.doubts.push('text in $"…"')
      return
    case 'SimpleExpansion': {
      const name = part.text.slice(1)
      if (state.loops.has(name) || name === '?' || name === '#')
        return addLoose(state, part.text, quoted)
      return addDoubt(state, `the variable ${part.text}`, quoted)
    }
    case 'ParameterExpansion':
      forEachScript(part, state.script)
      if (!part.operation && !part.prefix && !part.index && state.loops.has(part.parameter))
        return addLoose(state, part.text, quoted)
      return addDoubt(state, `the expansion ${part.text}`, quoted)
    case 'CommandExpansion': {
      if (part.text.startsWith('$((')) state.doubts.push('`$((` opens no arithmetic')
      if (state.bash3 && part.text.startsWith('$(') && !endsInBash3(part.text))
        state.doubts.push('a substitution that an old shell ends elsewhere')
      const text = quoted && part.script ? hereText(part.script) : undefined
      if (text !== undefined) return addText(state, text)
      state.script(part.script)
      return addLoose(state, 'a substitution', quoted)
    }
    case 'ArithmeticExpansion':
      forEachScript(part, state.script)
      if (/^\$\(\([\d\s+*/%()<>=!&|^~?:,-]*\)\)$/.test(part.text))
        return addLoose(state, part.text, quoted)
      return addDoubt(state, 'arithmetic', quoted)
    case 'Glob':
      if (part.parts) for (const child of part.parts) forEachScript(child, state.script)
      return addLoose(state, 'a glob', quoted)
    case 'BraceExpansion':
    case 'ExtendedGlob':
      forEachScript(part, state.script)
      return addLoose(state, part.type === 'ExtendedGlob' ? 'a glob' : 'braces', quoted)
    case 'ProcessSubstitution': {
      const text = part.script && printedText(part.script)
      if (text !== undefined) state.prints = text
      state.script(part.script)
      return addDoubt(state, 'a process substitution')
    }
    default:
      return addDoubt(state, `${(part as WordPart).type}, which is not known`)
  }
}

function addText(state: State, text: string): void {
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

/** `~/x` is known, and still worth a doubt; `~+` and `~name` are not known. */
function tilde(word: Word, state: State): string | undefined {
  const { text, value } = word
  if (!text.startsWith('~')) {
    if (/[=:]~/.test(text)) state.doubts.push('a tilde')
    return value
  }
  state.doubts.push('a tilde')
  return text === '~' || text.startsWith('~/') ? state.home + value.slice(1) : undefined
}
