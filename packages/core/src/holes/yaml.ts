import type { Hole } from '../hole.ts'
import { readYaml } from '../yaml/read.ts'
import type { CallBuilder } from '../read/call-builder.ts'
import type { Input, Reader } from '../read/input.ts'
import { LINE_END } from '../read/marks.ts'
import { isSpace, some, until } from '../read/readers.ts'
import { coerceText, coerceValue } from '../schema/coerce.ts'
import { typesOf } from '../schema/types.ts'

/** All arguments as an indented block of YAML, which ends with the first unindented line. */
export const yaml: Hole = {
  optional: true,
  starts: () => [],
  *read({ input, builder }) {
    builder.begin()
    const lines = yield* readBlock(input, builder)
    const entries = readYaml(lines)
    if (!entries) return builder.fail('syntax', 'indented lines of "key: value"')
    for (const { key, value, plain } of entries) {
      builder.member(key)
      builder.write(JSON.stringify(typed(builder, key, value, plain)))
    }
    builder.finishArguments()
    builder.closed = true
    return true
  },
  print: ({ call, write }) => write.yaml(call.args, '  '),
}

/** Reads lines that are blank or indented. */
function* readBlock(input: Input, builder: CallBuilder): Reader<string[]> {
  const lines: string[] = []
  for (;;) {
    if (!(yield* some(input))) {
      builder.openEnded = true
      return lines
    }
    if (!isSpace(input.code())) return lines
    let line = ''
    const ended = yield* until(input, LINE_END, (text) => (line += text))
    lines.push(line)
    if (ended) input.cursor++
  }
}

/**
 * The value in the type of the schema. The schema also decides the type of a scalar without quotes.
 */
function typed(
  builder: CallBuilder,
  key: string,
  value: unknown,
  plain: string | undefined,
): unknown {
  const { parameters } = builder
  const schema = builder.schemaOf(key)
  if (!parameters || !schema) return value
  if (plain === undefined || !typesOf(schema, parameters))
    return coerceValue(value, schema, parameters, (name, old, meant) => {
      if (old !== undefined) builder.repair(name, old, meant)
    })
  return (coerceText(plain, schema, parameters) ?? { value }).value
}
