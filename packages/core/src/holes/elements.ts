import type { Hole, Reading } from '../hole.ts'
import type { Schema } from '../protocol.ts'
import type { Draft } from '../read/draft.ts'
import type { Input, Reader } from '../read/input.ts'
import { isName, readLabel } from '../read/label.ts'
import { Marks } from '../read/marks.ts'
import { Pieces } from '../read/pieces.ts'
import { eat, until } from '../read/readers.ts'
import { elementsOf, membersOf } from '../xml/elements.ts'
import { printElements } from '../xml/print.ts'
import { printYaml } from '../yaml/print.ts'
import { readYaml } from '../yaml/read.ts'

/** All arguments as elements named after them, nested where the values are. `prefix` stands before every tag. */
export function elements({ prefix }: { prefix: string }): Hole {
  return {
    optional: true,
    starts: () => [`${prefix}<`],
    *read({ input, draft, stops }) {
      const body = yield* readBody(input, draft, stops)
      const children = body === undefined ? undefined : elementsOf(body, prefix)
      if (!children) return draft.fail('syntax', 'one tag per argument')
      draft.writeAll(membersOf(children, draft.parameters, draft.parameters, prefix))
      draft.closed = true
      return true
    },
    print: ({ call }) => printElements(call.args, prefix, ''),
  }
}

/** A whole call as an element named after the tool, its arguments as elements or as YAML in it. */
export function toolElement({ body }: { body: 'elements' | 'yaml' }): Hole {
  return {
    marked: true,
    starts: (names) =>
      (names ?? []).flatMap((name) => [`<${name}>`, `<${name} `, `<${name}/`, `<${name}\n`]),
    *read(reading) {
      return yield* readToolElement(reading, body)
    },
    print: ({ call }) => {
      const inner = body === 'yaml' ? printYaml(call.args, '') : printElements(call.args, '', '\n')
      return `<${call.name}>\n${inner}\n</${call.name}>`
    },
  }
}

/** Nothing is said of it before all of it is read: another protocol may write tags of the same name. */
function* readToolElement({ input, draft }: Reading, body: 'elements' | 'yaml'): Reader<boolean> {
  yield* eat(input, '<')
  const name = yield* readLabel(input, TAG_ENDS, isName)
  const schema = name === undefined ? undefined : draft.tools?.get(name)?.parameters
  if (name === undefined) return draft.fail('no-name', "a tool's name")
  let args: Record<string, unknown> | undefined = {}
  if (!(yield* eat(input, '/>'))) {
    if (!(yield* eat(input, '>'))) return draft.fail('syntax', '">"')
    const close = `</${name}>`
    const text = yield* readBody(input, draft, new Marks([close]))
    if (text === undefined) return false
    args = body === 'yaml' ? yamlMembers(text) : elementMembers(text, schema)
    if (!args)
      return draft.fail('syntax', body === 'yaml' ? '"key: value" lines' : 'one tag per argument')
    input.cursor += close.length
  }
  if (!draft.nameIt(name)) return false
  draft.writeAll(args)
  draft.closed = true
  return true
}

function yamlMembers(text: string): Record<string, unknown> | undefined {
  const entries = readYaml(text.split('\n'))
  return entries && Object.fromEntries(entries.map(({ key, value }) => [key, value]))
}

function elementMembers(
  text: string,
  schema: Schema | undefined,
): Record<string, unknown> | undefined {
  const children = elementsOf(text, '')
  return children && membersOf(children, schema, schema, '')
}

const TAG_ENDS = new Marks(['>', '/', ' ', '\n'])

/** Text up to what closes it, read whole. */
function* readBody(input: Input, draft: Draft, stops: Marks): Reader<string | undefined> {
  const body = new Pieces()
  draft.begin()
  if (yield* until(input, stops, (text) => body.add(text))) return body.toString()
  draft.fail('cut', 'the closing tag')
  return undefined
}
