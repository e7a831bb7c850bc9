import { args, calls, json, keywords, name, output, wire } from '../draw.ts'
import type { JsonMembers } from '../holes/json.ts'
import type { Protocol } from '../protocol.ts'
import { attributes } from './attributes.ts'
import { codeEnd, label } from './label.ts'
import { opened } from './opened.ts'
import { tag } from './tag.ts'

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

/** The same, one level deeper: `{"function": {"name": …}}`. */
const nested: JsonMembers = {
  id: IDS,
  name: CONTAINERS.map((key) => `${key}.name`),
  args: CONTAINERS.flatMap((key) => ARGUMENTS.map((word) => `${key}.${word}`)),
  encoded: true,
}

const objects = [json(flat), json(nested)] as const
/** What the first member of such an object may be called. */
export const FIRST_KEYS: readonly string[] = [
  ...[...NAMES, ...ARGUMENTS, ...IDS, ...REASONS, ...CONTAINERS],
  ...['type', 'index', 'role', 'tool_calls'],
]

const list = calls({ separator: ', ' })

/** What may be written before the name of a tool. */
export const ACTIONS: readonly string[] = ['Action', 'Tool', 'Function']

const action = label(ACTIONS, true)
const input = label(
  ['Action Input', 'Tool Input', 'Input', 'Arguments', 'Args', 'Parameters', 'Tool Arguments'],
  false,
)

/**
 * What models write that were never trained on a protocol, or that forget theirs. No model is told to write it, so it is never
 * printed. All of it counts only for known tools, and only at the end of a reply.
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
