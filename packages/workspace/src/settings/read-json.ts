import { createScanner, type ParseErrorCode, printParseErrorCode, visit } from 'jsonc-parser'
import { MAX_DEPTH, MAX_TOKENS, type Entry, type Fault, type Item, type Outline } from './item.ts'

/** JSON with comments and trailing commas. */
export function readJson(text: string): Outline {
  if (text.trim() === '') return { faults: [{ line: 1, reason: 'it is empty: write {}' }] }
  const excess = excessIn(text)
  if (excess) return { faults: [excess] }
  const faults: Fault[] = []
  const open: Open[] = []
  let root: Item | undefined

  const add = (item: Item): void => {
    const around = open.at(-1)
    if (!around) root ??= item
    else if (around.item.kind === 'list') around.item.items.push(item)
    else if (around.key) {
      around.item.entries.push({ ...around.key, item })
      around.key = undefined
    }
  }
  const begin = (item: Open['item']): void => {
    add(item)
    open.push({ item, key: undefined })
  }

  visit(
    text,
    {
      onObjectBegin: (_, __, line) => begin({ kind: 'map', line: line + 1, entries: [] }),
      onArrayBegin: (_, __, line) => begin({ kind: 'list', line: line + 1, items: [] }),
      onObjectEnd: () => void open.pop(),
      onArrayEnd: () => void open.pop(),
      onObjectProperty: (key, _, __, line) => {
        const around = open.at(-1)
        if (around) around.key = { key, line: line + 1 }
      },
      onLiteralValue: (value: string | number | boolean | null, _, __, line) =>
        add({ kind: 'plain', line: line + 1, value }),
      onError: (code, _, __, line) => faults.push({ line: line + 1, reason: reasonOf(code) }),
    },
    { allowTrailingComma: true },
  )
  return { root, faults }
}

interface Open {
  readonly item:
    | { readonly kind: 'map'; readonly line: number; readonly entries: Entry[] }
    | { readonly kind: 'list'; readonly line: number; readonly items: Item[] }
  key: { readonly key: string; readonly line: number } | undefined
}

/** Where a text is nested too deep, since the parser recurses as deep as the text does, or has too many values. */
function excessIn(text: string): Fault | undefined {
  const scanner = createScanner(text, true)
  const fault = (reason: string): Fault => ({ line: scanner.getTokenStartLine() + 1, reason })
  let depth = 0
  let tokens = 0
  for (scanner.scan(); scanner.getTokenOffset() < text.length; scanner.scan()) {
    const first = text.charAt(scanner.getTokenOffset())
    if (first === '{' || first === '[') depth++
    if (first === '}' || first === ']') depth--
    if (depth > MAX_DEPTH) return fault(`it is nested more than ${MAX_DEPTH} levels deep`)
    if (++tokens > MAX_TOKENS) return fault(`it has more than ${MAX_TOKENS} words and signs`)
  }
  return undefined
}

function reasonOf(code: ParseErrorCode): string {
  const name = printParseErrorCode(code)
  return `it is not JSON: ${REASONS.get(name) ?? name}`
}

const REASONS: ReadonlyMap<string, string> = new Map([
  ['InvalidSymbol', 'a word or sign that has no meaning here'],
  ['InvalidNumberFormat', 'an invalid number'],
  ['PropertyNameExpected', 'expected a key in double quotes'],
  ['ValueExpected', 'expected a value'],
  ['ColonExpected', 'expected a colon'],
  ['CommaExpected', 'expected a comma'],
  ['CloseBraceExpected', 'expected }'],
  ['CloseBracketExpected', 'expected ]'],
  ['EndOfFileExpected', 'expected nothing more'],
  ['UnexpectedEndOfComment', 'a comment that does not end'],
  ['UnexpectedEndOfString', 'a text that does not end'],
  ['UnexpectedEndOfNumber', 'a number that does not end'],
  ['InvalidUnicode', 'an invalid escape'],
  ['InvalidEscapeCharacter', 'an escape that means nothing'],
  ['InvalidCharacter', 'a control character in a text'],
])
