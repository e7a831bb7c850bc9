/** One part of a glob, between two slashes, as a list of what it matches. */
export type GlobPart = readonly GlobPiece[]

/** `*` (any), `?` (one), `[a-z]` (class), or one character. */
type GlobPiece =
  | { readonly type: 'any' }
  | { readonly type: 'one' }
  | { readonly type: 'class'; readonly not: boolean; readonly ranges: readonly Range[] }
  | { readonly type: 'character'; readonly character: string }

type Range = readonly [from: string, to: string]

/** Parses one part of a glob. Every text is valid: an unclosed `[` matches itself. */
export function readPart(text: string): GlobPart {
  const characters = Array.from(text)
  const pieces: GlobPiece[] = []
  for (let at = 0; at < characters.length; at++) {
    const character = characters[at]!
    if (character === '*') {
      if (pieces.at(-1)?.type !== 'any') pieces.push({ type: 'any' })
    } else if (character === '?') pieces.push({ type: 'one' })
    else if (character === '[') {
      const end = endOfClass(characters, at)
      if (end === undefined) pieces.push({ type: 'character', character })
      else {
        pieces.push(readClass(characters.slice(at + 1, end)))
        at = end
      }
    } else if (character === '\\' && at + 1 < characters.length)
      pieces.push({ type: 'character', character: characters[++at]! })
    else pieces.push({ type: 'character', character })
  }
  return pieces
}

/** A `]` directly after the opening bracket is one of the characters. */
function endOfClass(characters: readonly string[], open: number): number | undefined {
  const negated = characters[open + 1] === '!' || characters[open + 1] === '^'
  const end = characters.indexOf(']', open + (negated ? 3 : 2))
  return end < 0 ? undefined : end
}

function readClass(characters: readonly string[]): GlobPiece {
  const not = characters[0] === '!' || characters[0] === '^'
  const ranges: Range[] = []
  for (let at = not ? 1 : 0; at < characters.length; at++) {
    const from = characters[at]!
    const isRange = characters[at + 1] === '-' && at + 2 < characters.length
    ranges.push([from, isRange ? characters[at + 2]! : from])
    if (isRange) at += 2
  }
  return { type: 'class', not, ranges }
}

/** Whether a name matches. Backtracks to the last `*` only, so time is at most the product of both lengths. */
export function matchesPart(part: GlobPart, text: string): boolean {
  const characters = Array.from(text)
  let piece = 0
  let at = 0
  let star = -1
  let starAt = 0
  while (at < characters.length) {
    const wanted = part[piece]
    if (wanted?.type === 'any') {
      star = piece++
      starAt = at
    } else if (wanted && fits(wanted, characters[at]!)) {
      piece++
      at++
    } else if (star >= 0) {
      piece = star + 1
      at = ++starAt
    } else return false
  }
  return part.slice(piece).every(({ type }) => type === 'any')
}

function fits(piece: GlobPiece, character: string): boolean {
  if (piece.type === 'character') return piece.character === character
  if (piece.type === 'class')
    return piece.ranges.some(([from, to]) => from <= character && character <= to) !== piece.not
  return true
}

/** A simpler glob that matches at least the same names and means the same to every glob implementation. */
export function loosen(part: GlobPart): string {
  return part
    .map((piece) => {
      if (piece.type !== 'character') return '*'
      return /[\\*?[\]{}]/.test(piece.character) ? `\\${piece.character}` : piece.character
    })
    .join('')
}
