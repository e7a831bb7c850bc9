import type { Input, Reader } from '../read/input.ts'
import { Marks } from '../read/marks.ts'
import { eat, some, space, until } from '../read/readers.ts'
import { MAX_DEPTH } from '../json/scanner.ts'
import { WORDS } from './print.ts'
import { closesArgument, closesItem, type LiteralRepairs, readString } from './string.ts'

/**
 * Reads one Python literal and outputs it as JSON while it arrives: strings, numbers, True, None,
 * lists, tuples, sets, dictionaries. JSON's literals are accepted too. Returns false if the text is
 * not a literal or the input ends inside it.
 */
export function* readPython(
  input: Input,
  give: (json: string) => void,
  repairs?: LiteralRepairs,
  depth = 0,
): Reader<boolean> {
  yield* space(input)
  if (!(yield* some(input)) || depth > MAX_DEPTH) return false
  const open = input.peek(1)
  if (open === '"' || open === "'") {
    const closing = depth > 0 || !repairs ? closesItem : closesArgument
    return yield* readString(input, give, repairs, closing)
  }
  if (open === '[' || open === '(' || open === '{') {
    return yield* readContainer(input, give, repairs, depth)
  }
  let word = ''
  if (!(yield* until(input, ENDS, (text) => (word += text)))) return false
  word = word.trim()
  const json = wordAsJson(word)
  if (json === undefined) return false
  if (repairs && LEADING_ZEROS.test(word)) {
    if (!repairs.builder.mayRepair || !repairs.builder.repair('leading-zeros', word, json))
      return false
  }
  give(json)
  return true
}

const ENDS = new Marks([',', ')', ']', '}', ':'])

function wordAsJson(word: string): string | undefined {
  const known = WORDS.get(word)
  if (known) return known
  if (!NUMBER.test(word)) return undefined
  const value = Number(word.replaceAll('_', ''))
  return Number.isFinite(value) ? JSON.stringify(value) : undefined
}

const NUMBER = /^[+-]?(?:[0-9][0-9_]*(?:\.[0-9_]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?$/
/** An integer that Python rejects because it looks octal. */
const LEADING_ZEROS = /^[+-]?0[0_]*[1-9][0-9_]*$/

/** A list, a tuple, a set or a dictionary. */
function* readContainer(
  input: Input,
  give: (json: string) => void,
  repairs: LiteralRepairs | undefined,
  depth: number,
): Reader<boolean> {
  const open = input.take(1)
  const read = (to: (json: string) => void): Reader<boolean> =>
    readPython(input, to, repairs, depth + 1)
  if (open === '(') {
    // Parentheses alone do not make a tuple; a comma does.
    const first: string[] = []
    yield* space(input)
    if (yield* eat(input, ')')) {
      give('[]')
      return true
    }
    if (!(yield* read((json) => first.push(json)))) return false
    yield* space(input)
    const alone = yield* eat(input, ')')
    give(alone ? first.join('') : `[${first.join('')}`)
    if (alone) return true
    if (!(yield* separated(input, ')', true, () => read(give), give))) return false
    give(']')
    return true
  }
  if (open === '[') {
    give('[')
    if (!(yield* separated(input, ']', false, () => read(give), give))) return false
    give(']')
    return true
  }
  yield* space(input)
  if (yield* eat(input, '}')) {
    give('{}')
    return true
  }
  // The token after the first item shows whether this is a set or a dictionary.
  const key: string[] = []
  if (!(yield* read((json) => key.push(json)))) return false
  yield* space(input)
  const dictionary = yield* eat(input, ':')
  give(dictionary ? `{${asKey(key, repairs)}:` : `[${key.join('')}`)
  if (dictionary && !(yield* read(give))) return false
  const item = dictionary ? entry : (): Reader<boolean> => read(give)
  if (!(yield* separated(input, '}', true, item, give))) return false
  give(dictionary ? '}' : ']')
  return true

  function* entry(): Reader<boolean> {
    const next: string[] = []
    if (!(yield* read((json) => next.push(json)))) return false
    yield* space(input)
    if (!(yield* eat(input, ':'))) return false
    give(`${asKey(next, repairs)}:`)
    return yield* read(give)
  }
}

/** Reads items up to `close`, separated by commas, with an optional trailing comma. */
export function* separated(
  input: Input,
  close: string,
  begun: boolean,
  item: () => Reader<boolean>,
  give: (json: string) => void,
): Reader<boolean> {
  for (let first = !begun; ; first = false) {
    yield* space(input)
    if (yield* eat(input, close)) return true
    if (!first) {
      if (!(yield* eat(input, ','))) return false
      yield* space(input)
      if (yield* eat(input, close)) return true
      give(',')
    }
    if (!(yield* item())) return false
  }
}

/** A dictionary's key as a JSON key. Numbers and words become strings. */
function asKey(json: readonly string[], repairs: LiteralRepairs | undefined): string {
  if (repairs) repairs.builder.keys++
  const key = json.join('')
  return key.startsWith('"') ? key : JSON.stringify(key)
}
