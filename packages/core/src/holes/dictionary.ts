import type { Hole } from '../hole.ts'
import { jsonContent, separated, WORDS } from '../python/value.ts'
import type { Draft } from '../read/draft.ts'
import type { Input, Reader } from '../read/input.ts'
import { readLabel } from '../read/label.ts'
import { Marks } from '../read/marks.ts'
import { eat, some, space, until } from '../read/readers.ts'
import { MOST_DEPTH } from '../json/scanner.ts'
import { coerceText } from '../schema/coerce.ts'
import { typesOf } from '../schema/types.ts'

/**
 * All arguments as `{key:value,…}`, keys bare, strings between two of the same mark with nothing escaped in them, other
 * values as in JSON.
 */
export function dictionary({ quote }: { quote: string }): Hole {
  const quotes = new Marks([quote])
  return {
    starts: () => ['{'],
    *read({ input, draft }) {
      yield* space(input)
      if (!(yield* eat(input, '{'))) return draft.fail('syntax', '"{"')
      draft.begin()
      if (!(yield* separated(input, '}', false, argument, () => {}))) {
        return draft.fail(input.length === 0 ? 'cut' : 'syntax', 'key:value, then "}"')
      }
      draft.finishArguments()
      draft.closed = true
      return true

      function* argument(): Reader<boolean> {
        const key = yield* readKey(input)
        if (key === undefined) return false
        draft.member(key)
        return yield* readValue(input, (json) => draft.write(json), 0, draft, key)
      }
    },
    print: ({ call }) => print(call.args, quote),
  }

  function* readKey(input: Input): Reader<string | undefined> {
    yield* space(input)
    const quoted = yield* eat(input, quote)
    const key = yield* readLabel(input, quoted ? quotes : COLON)
    if (key === undefined || (quoted && !(yield* eat(input, quote)))) return undefined
    yield* space(input)
    return (yield* eat(input, ':')) ? key : undefined
  }

  function* readValue(
    input: Input,
    give: (json: string) => void,
    depth: number,
    draft?: Draft,
    key = '',
  ): Reader<boolean> {
    yield* space(input)
    if (!(yield* some(input)) || depth > MOST_DEPTH) return false
    if (yield* eat(input, quote)) {
      give('"')
      if (!(yield* until(input, quotes, (text) => give(jsonContent(text))))) return false
      give('"')
      return yield* eat(input, quote)
    }
    const open = input.peek(1)
    if (open === '{' || open === '[') {
      const list = open === '['
      input.cursor++
      give(open)
      const item = function* (): Reader<boolean> {
        if (!list) {
          const inner = yield* readKey(input)
          if (inner === undefined) return false
          give(`${JSON.stringify(inner)}:`)
        }
        return yield* readValue(input, give, depth + 1)
      }
      const close = list ? ']' : '}'
      if (!(yield* separated(input, close, false, item, give))) return false
      give(close)
      return true
    }
    let word = ''
    if (!(yield* until(input, WORD_ENDS, (text) => (word += text)))) return false
    give(asJson(word.trim(), draft, key))
    return true
  }
}

const COLON = new Marks([':'])
const WORD_ENDS = new Marks([',', '}', ']'])

/** A bare word: what the schema says, else a number or a word of JSON's, else text. */
function asJson(word: string, draft: Draft | undefined, key: string): string {
  const schema = draft?.schemaOf(key)
  if (draft?.parameters && schema && typesOf(schema, draft.parameters)) {
    const typed = coerceText(word, schema, draft.parameters)
    return JSON.stringify(typed ? typed.value : word)
  }
  const number = /^-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?$/.test(word)
  return WORDS.get(word) ?? (number ? word : JSON.stringify(word))
}

function print(value: unknown, quote: string): string {
  if (typeof value === 'string') return quote + value + quote
  if (Array.isArray(value)) return `[${value.map((item) => print(item, quote)).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  return `{${entries.map(([key, item]) => `${key}:${print(item, quote)}`).join(',')}}`
}
