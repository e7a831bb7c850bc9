import { forEachChild, type ParsedScript, type SyntaxNode, type Word, type WordPart } from 'unbash'
import { endsInOldShell } from './old-shell.ts'
import { hereText, printedText } from './printed.ts'

/** A word of a command, as far as it can be told before it runs. */
export interface Spelled {
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
export interface Surroundings {
  readonly home: string
  /** The shell is an old one: see `endsInOldShell`. */
  readonly oldShell?: boolean
  /** The variables of loops over plain words. */
  readonly loops: ReadonlySet<string>
  /** Told of every script inside the word. */
  readonly script: (script: ParsedScript | undefined) => void
}

/** Reads a word. Kinds of parts that are not known here make it doubtful. */
export function spell(word: Word, surroundings: Surroundings): Spelled {
  const { parts } = word
  if (!parts && !word.text.includes('~'))
    return { value: word.value, doubts: NONE, loose: NONE, whole: true }
  const state: State = { ...surroundings, doubts: [], loose: [], whole: true, value: '' }
  if (!parts) state.value = tilde(word, state)
  else for (const part of parts) take(part, state, false)
  if (parts && word.text.startsWith('~')) doubt(state, 'a tilde')
  const isPattern = state.loose.some((why) => why === 'a glob' || why === 'braces')
  if (isPattern && leadsOut(word.text))
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
export function leadsOut(text: string): boolean {
  const bare = text.replace(/['"\\]/g, '')
  if (/^[/~]|\.\./.test(bare.replace(/[{}]/g, ''))) return true
  if (!bare.includes('/')) return false
  // `.?/` may be `../`; so may `{.,}./`, and `{a,/b}` is `/b`.
  return /(?:^|\/)\.[?*[{]|[{,]\/|[{,]\.+[,}]|[{,],|,\}/.test(bare)
}

/** Every script inside a node, at any depth but not inside one another. */
export function scriptsIn(node: SyntaxNode, tell: Surroundings['script']): void {
  if (node.type === 'Script') return tell(node)
  if ((node.type === 'CommandExpansion' || node.type === 'ProcessSubstitution') && !node.script)
    tell(undefined)
  forEachChild(node, (child) => scriptsIn(child, tell))
}

interface State extends Surroundings {
  readonly doubts: string[]
  readonly loose: string[]
  whole: boolean
  value: string | undefined
  prints?: string
}

function take(part: WordPart, state: State, quoted: boolean): void {
  switch (part.type) {
    case 'Literal':
    case 'SingleQuoted':
      return add(state, part.value)
    case 'AnsiCQuoted':
      add(state, part.value)
      state.doubts.push("text in $'…'")
      return
    case 'DoubleQuoted':
      for (const child of part.parts) take(child, state, true)
      return
    case 'LocaleString':
      for (const child of part.parts) take(child, state, true)
      state.doubts.push('text in $"…"')
      return
    case 'SimpleExpansion': {
      const name = part.text.slice(1)
      if (state.loops.has(name) || name === '?' || name === '#')
        return loosely(state, part.text, quoted)
      return doubt(state, `the variable ${part.text}`, quoted)
    }
    case 'ParameterExpansion':
      scriptsIn(part, state.script)
      if (!part.operation && !part.prefix && !part.index && state.loops.has(part.parameter))
        return loosely(state, part.text, quoted)
      return doubt(state, `the expansion ${part.text}`, quoted)
    case 'CommandExpansion': {
      if (part.text.startsWith('$((')) state.doubts.push('`$((` opens no arithmetic')
      if (state.oldShell && part.text.startsWith('$(') && !endsInOldShell(part.text))
        state.doubts.push('a substitution that an old shell ends elsewhere')
      const text = quoted && part.script ? hereText(part.script) : undefined
      if (text !== undefined) return add(state, text)
      state.script(part.script)
      return loosely(state, 'a substitution', quoted)
    }
    case 'ArithmeticExpansion':
      scriptsIn(part, state.script)
      if (/^\$\(\([\d\s+*/%()<>=!&|^~?:,-]*\)\)$/.test(part.text))
        return loosely(state, part.text, quoted)
      return doubt(state, 'arithmetic', quoted)
    case 'Glob':
      if (part.parts) for (const child of part.parts) scriptsIn(child, state.script)
      return loosely(state, 'a glob', quoted)
    case 'BraceExpansion':
    case 'ExtendedGlob':
      scriptsIn(part, state.script)
      return loosely(state, part.type === 'ExtendedGlob' ? 'a glob' : 'braces', quoted)
    case 'ProcessSubstitution': {
      const text = part.script && printedText(part.script)
      if (text !== undefined) state.prints = text
      state.script(part.script)
      return doubt(state, 'a process substitution')
    }
    default:
      return doubt(state, `${(part as WordPart).type}, which is not known`)
  }
}

function add(state: State, text: string): void {
  if (state.value !== undefined) state.value += text
}

function doubt(state: State, why: string, quoted = false): void {
  state.doubts.push(why)
  unknown(state, quoted)
}

function loosely(state: State, why: string, quoted: boolean): void {
  state.loose.push(why)
  unknown(state, quoted)
}

function unknown(state: State, quoted: boolean): void {
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
