import type { Hole } from '../hole.ts'
import { jsonContent } from '../json/text.ts'
import { closesItem, type LiteralRepairs, readString } from '../python/string.ts'
import { separated } from '../python/value.ts'
import { WORDS } from '../python/print.ts'
import type { CallBuilder } from '../read/call-builder.ts'
import type { Input, Reader } from '../read/input.ts'
import { isKey, readLabel } from '../read/label.ts'
import { Marks } from '../read/marks.ts'
import { anyAhead, eat, lookAhead, some, space, until } from '../read/readers.ts'
import { TypedValue } from '../read/typed-value.ts'
import { meantKey } from '../read/names.ts'
import { JSON_NUMBER, MAX_DEPTH } from '../json/scanner.ts'
import type { Schema } from '../protocol.ts'
import { coerceText } from '../schema/coerce.ts'
import { propertiesOf } from '../schema/property.ts'
import { typesOf } from '../schema/types.ts'

/**
 * All arguments as `{key:value,…}`: keys have no quotes, strings are unescaped between two marks
 * (`quote`), and other values are JSON.
 */
export function dictionary({ quote }: { quote: string }): Hole {
  const quotes = new Marks([quote])
  return {
    starts: () => ['{'],
    around: () => [quote],
    *read({ input, builder, stops, stopped }) {
      const missing = stops.withPrefix('}')
      yield* space(input)
      if (!(yield* eat(input, '{'))) return builder.fail('syntax', '"{"')
      builder.begin()
      const repairs: LiteralRepairs = { builder, stopped }
      let unbraced = false
      if (!(yield* separated(input, '}', false, argument, () => {})) && !unbraced) {
        return builder.fail(input.length === 0 ? 'cut' : 'syntax', 'key:value, then "}"')
      }
      builder.finishArguments()
      builder.closed = true
      return true

      function* argument(): Reader<boolean> {
        const key = yield* readKey(input, builder)
        if (key === undefined) return false
        builder.member(key)
        if (
          builder.mayRepair &&
          isDeclaredText(builder, key) &&
          !(yield* lookAhead(input, startsValue(input)))
        ) {
          const from = input.place
          const bare = yield* readBareText(input, builder.parameters!, stops)
          if (bare === undefined || !builder.repair('unquoted-string', from)) return false
          builder.write(JSON.stringify(bare))
        } else {
          const value = new TypedValue(builder, key)
          const give = (json: string): void => value.write(json)
          if (!(yield* readValue(input, give, repairs, closing, 0, key))) return false
          value.end()
        }
        unbraced = builder.mayRepair && (yield* anyAhead(input, stops))
        return !unbraced || builder.repair('missing-closer', input.place, '}')
      }

      /**
       * Reads a string up to its closing quote or, without one, to the end of the call at the end
       * of the reply.
       */
      function* closing(give: (text: string) => void, nested: boolean): Reader<boolean> {
        while (yield* until(input, nested ? quotes : quotes.join(missing), give)) {
          if (yield* eat(input, quote)) return true
          input.hold()
          input.cursor += missing.lengthAt(input)
          yield* space(input)
          const over = input.finished && input.over && stopped()
          input.back()
          if (over && builder.mayRepair) return builder.repair('missing-closer', input.place, quote)
          give(input.take(1))
        }
        return false
      }
    },
    print: ({ call, write }) => write.dictionary(call.args, quote),
  }

  function* readKey(input: Input, builder: CallBuilder): Reader<string | undefined> {
    yield* space(input)
    const quoted = yield* eat(input, quote)
    const ends = quoted ? quotes : builder.mayRepair ? COLON_OR_EQUALS : COLON
    const key = yield* readLabel(input, ends, quoted ? undefined : isKey)
    if (key === undefined || (quoted && !(yield* eat(input, quote)))) return undefined
    yield* space(input)
    if (yield* eat(input, ':')) return quoted ? meantKey(key) : key
    return builder.mayRepair &&
      (yield* eat(input, '=')) &&
      builder.repair('equals-sign', input.place - 1, ':')
      ? key
      : undefined
  }

  /** True if the following text is a quoted string, an object or a list rather than bare text. */
  function* startsValue(input: Input): Reader<boolean> {
    yield* space(input)
    return (yield* anyAhead(input, quotes)) || /^["'[{]/.test(input.peek(1))
  }

  function* readValue(
    input: Input,
    give: (json: string) => void,
    repairs: LiteralRepairs,
    closing: (content: (text: string) => void, nested: boolean) => Reader<boolean>,
    depth: number,
    key?: string,
  ): Reader<boolean> {
    const { builder } = repairs
    yield* space(input)
    if (!(yield* some(input)) || depth > MAX_DEPTH) return false
    if (yield* eat(input, quote)) {
      give('"')
      if (!(yield* closing((text) => give(jsonContent(text)), depth > 0))) return false
      give('"')
      return true
    }
    const open = input.peek(1)
    if (builder.mayRepair && (open === '"' || open === "'")) {
      if (!builder.repair('other-quotes', input.place, quote, input.place + 1)) return false
      if (!(yield* readString(input, give, repairs, closesHere, open === "'"))) return false
      yield* eat(input, quote)
      return true
    }
    if (open === '{' || open === '[') {
      const list = open === '['
      input.cursor++
      give(open)
      const item = function* (): Reader<boolean> {
        if (!list) {
          const inner = yield* readKey(input, builder)
          if (inner === undefined) return false
          builder.keys++
          give(`${JSON.stringify(inner)}:`)
        }
        return yield* readValue(input, give, repairs, closing, depth + 1)
      }
      const close = list ? ']' : '}'
      if (!(yield* separated(input, close, false, item, give))) return false
      give(close)
      return true
    }
    let word = ''
    if (!(yield* until(input, WORD_ENDS, (text) => (word += text)))) return false
    give(asJson(word.trim(), key === undefined ? undefined : builder, key ?? ''))
    return true
  }

  /** If the mark of strings follows another quote, one of the two is superfluous. */
  function closesHere(rest: string): ReturnType<typeof closesItem> {
    const next = rest.trimStart()
    if (next.startsWith(quote)) return 'over'
    if (quote.startsWith(next)) return undefined
    return /^(?:[}\]]|,\s*[\p{L}_<{["'\d-])/u.test(next) ? 'over' : closesItem(rest) && 'inside'
  }
}

const COLON = new Marks([':'])
const COLON_OR_EQUALS = new Marks([':', '='])
const WORD_ENDS = new Marks([',', '}', ']'])

function isDeclaredText(builder: CallBuilder, key: string): boolean {
  const schema = builder.schemaOf(key)
  const types = schema && builder.parameters && typesOf(schema, builder.parameters)
  return types !== undefined && types.size === 1 && types.has('string')
}

/**
 * Reads text without quotes, if the schema declares a string: up to the end of the call, or to the
 * name of another argument. Whitespace around text on one line is dropped.
 */
function* readBareText(input: Input, parameters: Schema, stops: Marks): Reader<string | undefined> {
  const keys = Object.keys(propertiesOf(parameters) ?? {})
  const next = new Marks(keys.flatMap((key) => [`,${key}:`, `, ${key}:`]))
  const ends = ['}', '}\n', '} '].reduce(
    (marks, brace) => marks.join(stops.withPrefix(brace)),
    next,
  )
  let text = ''
  const ended = yield* until(input, ends, (piece) => (text += piece))
  if (!ended) return undefined
  return text.includes('\n') ? text : text.trim()
}

/** Converts a bare word to JSON: by the schema, or else as a number, a JSON literal or text. */
function asJson(word: string, builder: CallBuilder | undefined, key: string): string {
  const schema = builder?.schemaOf(key)
  if (builder?.parameters && schema && typesOf(schema, builder.parameters)) {
    const typed = coerceText(word, schema, builder.parameters)
    return JSON.stringify(typed ? typed.value : word)
  }
  return WORDS.get(word) ?? (JSON_NUMBER.test(word) ? word : JSON.stringify(word))
}
