import { args, calls, json, keywords, name, output, wire } from '../draw.ts'
import type { JsonMembers } from '../holes/json.ts'
import type { Protocol } from '../protocol.ts'
import type { Hole } from '../hole.ts'
import { Marks } from '../read/marks.ts'
import type { Input, Reader } from '../read/input.ts'
import { readLabel, isKey } from '../read/label.ts'
import { some, space, ahead, attempt, eat, eatAny, until } from '../read/readers.ts'

/** The tool's name and a parenthesis, which is rare in prose, unlike the name alone. */
const opened: Hole = {
  starts: (names) => (names ?? []).map((each) => `${each}(`),
  *read(reading) {
    if (!(yield* name.read({ ...reading, stops: PARENTHESIS }))) return false
    reading.input.cursor++
    return true
  },
  print: ({ call }) => `${call.name}(`,
}

const PARENTHESIS = new Marks(['('])

/** An opening tag that mentions calls, such as `<tool_code>`, `<|call|>` or `[FUNCTION_CALL]`. */
const tag: Hole = {
  starts: () => ['<', '['],
  *read({ input, builder }) {
    yield* space(input)
    const label = yield* readTag(input)
    return (label !== undefined && CALLS.test(label)) || builder.fail('syntax', 'a tag')
  },
  print: () => '',
}

/** Reads one tag. Returns its content, or undefined if there is no tag. */
export function* readTag(input: Input): Reader<string | undefined> {
  if (!(yield* some(input))) return undefined
  const end = ENDS.get(input.code())
  if (!end) return undefined
  input.cursor++
  const label = yield* readLabel(input, end, (text) => LABEL.test(text))
  if (!label) return undefined
  input.cursor++
  return label
}

/** Words that occur in tags around calls. */
export const CALLS: RegExp = /tool|func|call|action|plugin|invoke|arg|param|input/i

const LABEL = /^[\w|｜▁/:.-]{0,40}$/

/** The end of a tag, by the code of its first character. */
const ENDS = new Map([
  [60, new Marks(['>'])],
  [91, new Marks([']'])],
])

/**
 * A label with one of these words: `Action:`, `**Action:**`, `Action 1:`, perhaps with code after
 * it. The `first` label begins a call; others begin a new line.
 */
function label(words: readonly string[], first: boolean): Hole {
  const marks = new Marks(words)
  return {
    starts: () => (first ? labelMarks(words) : ['\n', '`']),
    *read({ input, builder }) {
      return (yield* attempt(input, readWords(input, marks))) || builder.fail('syntax', words[0]!)
    },
    print: () => '',
  }
}

/** The beginnings of labels. */
export function labelMarks(words: readonly string[]): string[] {
  return words.flatMap((word) => [`${word}:`, `${word} 1`, `**${word}:`, `**${word}**`])
}

/** The end of code that began after a label, if any. */
const codeEnd: Hole = {
  optional: true,
  starts: () => ['`'],
  read: ({ input }) => skipTick(input),
  print: () => '',
}

function* readWords(input: Input, words: Marks): Reader<boolean> {
  yield* eat(input, '`')
  yield* space(input)
  yield* eat(input, '**')
  if (!(yield* eatAny(input, words))) return false
  yield* eat(input, ' ')
  while ((yield* some(input)) && isDigit(input.code())) input.cursor++
  yield* eat(input, '**')
  if (!(yield* eat(input, ':'))) return false
  yield* eat(input, '**')
  yield* space(input)
  return yield* skipTick(input)
}

/** Skips the mark of inline code. Fences are left to the reader of the arguments. */
function* skipTick(input: Input): Reader<boolean> {
  if (!(yield* ahead(input, '```'))) yield* eat(input, '`')
  return true
}

function isDigit(code: number): boolean {
  return code >= 48 && code <= 57
}

/** All arguments as attributes of a tag, including its end: `city="Paris" days="2" />`. */
const attributes: Hole = {
  starts: () => [' ', '\n', '\t'],
  *read({ input, builder }) {
    const found = new Map<string, string>()
    for (;;) {
      yield* space(input)
      if (yield* eatAny(input, TAG_ENDS)) break
      const key = yield* readLabel(input, EQUALS, isKey)
      input.cursor++
      yield* some(input)
      const end = QUOTES['"\''.indexOf(input.take(1))]
      let value = ''
      if (!key || !end || found.has(key) || !(yield* until(input, end, (text) => (value += text))))
        return builder.fail('syntax', 'name="value"')
      input.cursor++
      found.set(key, value)
    }
    builder.writeAll(Object.fromEntries(found))
    builder.closed = true
    return true
  },
  print: () => '',
}

const TAG_ENDS = new Marks(['>', '/>'])
const EQUALS = new Marks(['='])
const QUOTES = ['"', "'"].map((quote) => new Marks([quote]))

const NAMES = [
  ...['name', 'tool', 'tool_name', 'toolName', 'function', 'function_name', 'action'],
  'recipient_name',
]
const ARGUMENTS = [
  ...['arguments', 'parameters', 'args', 'params', 'input', 'kwargs'],
  ...['tool_input', 'tool_args', 'action_input', 'function_args'],
]
const IDS = ['id', 'call_id', 'tool_call_id', 'toolCallId']
const REASONS = ['thought', 'thoughts', 'reasoning', 'reason', 'explanation']

const flat: JsonMembers = {
  id: IDS,
  name: NAMES,
  args: ARGUMENTS,
  reasoning: REASONS,
  encoded: true,
}

const CONTAINERS = ['function', 'function_call', 'functionCall', 'tool_call', 'toolCall']

/** These members one level deeper: `{"function": {"name": …}}`. */
const nested: JsonMembers = {
  id: IDS,
  name: CONTAINERS.map((key) => `${key}.name`),
  args: CONTAINERS.flatMap((key) => ARGUMENTS.map((word) => `${key}.${word}`)),
  encoded: true,
}

const objects = [json(flat), json(nested)] as const
/** The names that the first member of such an object may have. */
export const FIRST_KEYS: readonly string[] = [
  ...[...NAMES, ...ARGUMENTS, ...IDS, ...REASONS, ...CONTAINERS],
  ...['type', 'index', 'role', 'tool_calls'],
]

const list = calls({ separator: ', ' })

/** Labels before the name of a tool. */
export const ACTIONS: readonly string[] = ['Action', 'Tool', 'Function']

const action = label(ACTIONS, true)
const input = label(
  ['Action Input', 'Tool Input', 'Input', 'Arguments', 'Args', 'Parameters', 'Tool Arguments'],
  false,
)

/**
 * Formats used by models that were never trained on a protocol or that deviate from theirs. Models
 * are never asked for these formats, so they are never printed. They count only for known tools and
 * only at the end of a reply.
 */
export const untrained: Protocol<'untrained'> = {
  id: 'untrained',
  weak: true,
  call: wire`${objects[0]}`,
  variants: [
    wire`${objects[1]}`,
    wire`[${list}]`,
    wire`{ "tool_calls" : [ ${list} ] }`,
    wire`{ "role" : "assistant", "content" : null, "tool_calls" : [ ${list} ] }`,
    ...objects.map((object) => wire`${tag}\n${object}`),
    wire`${tag}\n[${list}]`,
    wire`${tag}\n<name>${name}</name>\n${tag}${args}`,
    wire`<${name}>${args}`,
    wire`<${name}${attributes}`,
    wire`${opened}${args})`,
    ...['', 'default_api.'].flatMap((space) => [
      wire`${space}${opened}${keywords}`,
      wire`print(${space}${opened}${keywords})`,
    ]),
    wire`${action}${name}${input}${args}${codeEnd}`,
    wire`${action}${name}(${keywords}`,
  ],
  ignore: ['<end_of_turn>', '<eos>'],
  result: wire`Observation: ${output}`,
}
