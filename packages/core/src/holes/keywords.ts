import type { Hole } from '../hole.ts'
import { duplicateKeyIn, OPEN } from '../json/text.ts'
import type { LiteralRepairs } from '../python/string.ts'
import { readPython, separated } from '../python/value.ts'
import type { Reader } from '../read/input.ts'
import { readLabel } from '../read/label.ts'
import { Marks } from '../read/marks.ts'
import { eat, some, space } from '../read/readers.ts'
import { TypedValue } from '../read/typed-value.ts'
import { isSchema } from '../schema/resolve.ts'

/** Python keyword arguments, including the closing parenthesis: `a=1, b="x")`. */
export const keywords: Hole = keywordsAs('json')

/** Keyword arguments printed with Python's `repr`: `a=1, b='x')`. */
export const reprKeywords: Hole = keywordsAs('repr')

function keywordsAs(strings: 'json' | 'repr'): Hole {
  return {
    *read({ input, builder, stopped }) {
      builder.begin()
      const repairs: LiteralRepairs = { builder, stopped }
      const read = yield* separated(input, ')', false, argument, () => {})
      if (!read)
        return builder.fail(
          input.length === 0 ? 'cut' : 'syntax',
          'arguments as name=value, then ")"',
        )
      builder.finishArguments()
      builder.closed = true
      return true

      function* argument(): Reader<boolean> {
        yield* space(input)
        if (yield* eat(input, '**')) return yield* unpacked()
        const key = yield* readLabel(input, EQUALS)
        if (key === undefined || !/^[\p{L}_][\p{L}\p{N}_.-]*$/u.test(key)) return false
        input.cursor++
        builder.member(key)
        const value = new TypedValue(builder, key)
        if (!(yield* readPython(input, (json) => value.write(json), repairs))) return false
        value.end()
        return true
      }

      /** A dictionary, for names that are not identifiers: `**{"-n": True}`. */
      function* unpacked(): Reader<boolean> {
        const { keys } = builder
        const pieces: string[] = []
        yield* space(input)
        if ((yield* some(input)) && input.code() !== OPEN) return false
        if (!(yield* readPython(input, (json) => pieces.push(json), repairs))) return false
        const json = pieces.join('')
        const object: unknown = JSON.parse(json)
        if (!isSchema(object)) return false
        if (duplicateKeyIn(json) !== undefined) builder.repair('duplicate-key')
        builder.keys = keys
        for (const [key, member] of Object.entries(object)) {
          builder.member(key)
          const value = new TypedValue(builder, key)
          value.write(JSON.stringify(member))
          value.end()
        }
        return true
      }
    },
    print: ({ call, write }) => `${write.keywords(call.args, strings)})`,
  }
}

const EQUALS = new Marks(['=', ')', ',', '('])
