import { args, calls, json, keywords, name, output, wire } from '../draw.ts'
import type { JsonMembers } from '../holes/json.ts'
import type { Protocol } from '../protocol.ts'
import { tag } from './tag.ts'

/** Words for the name of a tool, for its arguments, and for why it is called. */
const NAMES = ['name', 'tool', 'tool_name', 'function', 'function_name', 'action']
const ARGUMENTS = [
  ...['arguments', 'parameters', 'args', 'params', 'input', 'kwargs'],
  ...['tool_input', 'tool_args', 'action_input', 'function_args'],
]
const REASONS = ['thought', 'thoughts', 'reasoning', 'reason', 'explanation']

const members: JsonMembers = {
  id: 'id',
  name: NAMES,
  args: ARGUMENTS,
  reasoning: REASONS,
  encoded: true,
}

/** The same, one level deeper: `{"function": {"name": …}}`. */
const within = (key: string): JsonMembers => ({
  id: 'id',
  name: `${key}.name`,
  args: ARGUMENTS.map((word) => `${key}.${word}`),
  encoded: true,
})

const objects = [members, ...['function', 'function_call', 'tool_call'].map(within)].map(
  (each) => wire`${json(each)}`,
)
const list = calls({ separator: ', ' })

/**
 * What models write that were never trained on a protocol, or that forget theirs. It is never printed, and no model is told to
 * write it; all of it counts only for known tools, and only at the end of a reply.
 */
export const untrained: Protocol<'untrained'> = {
  id: 'untrained',
  about: 'Models without a protocol: JSON, Python or ReAct at the end of a reply',
  weak: true,
  call: objects[0]!,
  variants: [
    ...objects.slice(1),
    wire`[${list}]`,
    wire`{ "tool_calls" : [ ${list} ] }`,
    ...objects.map((object) => wire`${tag}\n${object[0]!}`),
    wire`${tag}\n[${list}]`,
    wire`${name}(${keywords}`,
    wire`${name}(${args})`,
    wire`print(${name}(${keywords})`,
    wire`Action: ${name}\nAction Input: ${args}`,
    wire`Action: ${name}(${keywords}`,
  ],
  ignore: ['<end_of_turn>', '<eos>', '<|im_end|>', '<|eot_id|>', '</s>'],
  result: wire`Observation: ${output}`,
  prompt: () => '',
}
