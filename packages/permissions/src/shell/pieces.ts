import type {
  ArithmeticExpansionPart,
  BraceExpansionPart,
  CommandExpansionPart,
  ExtendedGlobPart,
  GlobPart,
  ParameterExpansionPart,
  ProcessSubstitutionPart,
  SimpleExpansionPart,
  Word,
  WordPart,
} from 'unbash'
import { hereText } from './printed.ts'

/**
 * A piece of a word. Words are judged by their pieces, and the text that runs is printed from the
 * same pieces.
 */
export type Piece =
  | TextPiece
  | { readonly type: 'expansion'; readonly part: ExpansionPart; readonly quoted: boolean }
  | { readonly type: 'pattern'; readonly part: GlobPart | ExtendedGlobPart | BraceExpansionPart }
  /** The shell replaces this piece with unknown text. */
  | { readonly type: 'unknown'; readonly why: string }

/** Literal text. */
export interface TextPiece {
  readonly type: 'text'
  readonly text: string
  /** The reason why the text may mislead people. */
  readonly doubt?: string
  /** True if the shell may change the text, so it is not printed. */
  readonly unclear?: true
}

/** A part of a word that the shell expands. */
export type ExpansionPart =
  | SimpleExpansionPart
  | ParameterExpansionPart
  | CommandExpansionPart
  | ArithmeticExpansionPart
  | ProcessSubstitutionPart

/** True if a part of a text is an expansion. */
export const isExpansion = (part: WordPart): part is ExpansionPart =>
  part.type === 'SimpleExpansion' ||
  part.type === 'ParameterExpansion' ||
  part.type === 'CommandExpansion' ||
  part.type === 'ArithmeticExpansion' ||
  part.type === 'ProcessSubstitution'

/** The pieces of a word, from left to right. */
export function piecesOf({ parts, text, value }: Word, home: string): readonly Piece[] {
  if (!parts) return [outsideQuotes({ text, value }, home, { isFirst: true, isWhole: true })]
  const pieces: Piece[] = []
  parts.forEach((part, at) => {
    if (part.type === 'Literal')
      pieces.push(outsideQuotes(part, home, { isFirst: at === 0, isWhole: parts.length === 1 }))
    else addPieces(part, false, pieces)
  })
  return pieces
}

function addPieces(part: WordPart, quoted: boolean, pieces: Piece[]): void {
  switch (part.type) {
    case 'Literal':
    case 'SingleQuoted':
      return void pieces.push({ type: 'text', text: part.value })
    case 'AnsiCQuoted':
      return void pieces.push({
        type: 'text',
        text: part.value,
        doubt: "text in $'…'",
        // Bytes in encodings other than UTF-8 are lost.
        unclear: part.value.includes('\ufffd') || undefined,
      })
    case 'DoubleQuoted':
    case 'LocaleString':
      if (part.type === 'LocaleString')
        pieces.push({ type: 'text', text: '', doubt: 'text in $"…"', unclear: true })
      if (part.parts.length === 0) pieces.push({ type: 'text', text: '' })
      for (const child of part.parts) addPieces(child, true, pieces)
      return
    case 'CommandExpansion': {
      const text = quoted && part.script ? hereText(part.script) : undefined
      return void pieces.push(
        text === undefined ? { type: 'expansion', part, quoted } : { type: 'text', text },
      )
    }
    case 'SimpleExpansion':
    case 'ParameterExpansion':
    case 'ArithmeticExpansion':
    case 'ProcessSubstitution':
      return void pieces.push({ type: 'expansion', part, quoted })
    case 'Glob':
    case 'ExtendedGlob':
    case 'BraceExpansion':
      return void pieces.push({ type: 'pattern', part })
    default:
      pieces.push({ type: 'unknown', why: `unsupported syntax: ${(part as WordPart).type}` })
  }
}

const TILDE = 'a tilde'

/**
 * `~` and `~/x` are known, but `~+` and `~name` are not. After `=` or `:`, the expansion depends on
 * the command.
 */
function outsideQuotes(
  { text, value }: Pick<Word, 'text' | 'value'>,
  home: string,
  { isFirst, isWhole }: { readonly isFirst: boolean; readonly isWhole: boolean },
): Piece {
  if (!text.includes('~')) return { type: 'text', text: value }
  const isHome = isFirst && (text.startsWith('~/') || (text === '~' && isWhole))
  if (isFirst && !isHome && text.startsWith('~')) return { type: 'unknown', why: TILDE }
  const unclear = /[=:]~/.test(text)
  if (!isHome && !unclear) return { type: 'text', text: value }
  return {
    type: 'text',
    text: isHome ? home + value.slice(1) : value,
    doubt: TILDE,
    unclear: unclear || undefined,
  }
}
