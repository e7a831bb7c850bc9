import { args, each, envelope, key, name, output, text, toolElement, value, wire } from '../draw.ts'
import { functionTags } from '../prompt/function-tags.ts'
import { xmlTree } from '../prompt/xml-tree.ts'
import type { Examples, Family, Prompt, Protocol } from '../protocol.ts'

const argument = [
  wire`<parameter=${key}>\n${value({ words: 'python' })}\n</parameter>\n`,
  wire`<parameter name="${key}">\n${value()}\n</parameter>\n`,
  wire`<parameter="${key}">\n${value()}\n</parameter>\n`,
]
/** Or an argument whose value is its own name, followed by the real value. */
const misplaced = each([
  ...argument,
  wire`<parameter>${key}</parameter>\n${value()}\n</parameter>\n`,
])
const called = wire`<function=${name}>\n${each(argument)}</function>`
const named = wire`<function name="${name}">\n${each(argument)}</function>`
const damaged = each(argument, { repair: 'damaged-opener' })
/** Other names for the function tag, and an opening tag without its end. */
const misnamed = ['call', 'tool', 'invoke'].map(
  (tag) => wire`<${tag}=${name}>\n${damaged}</${tag}>`,
)
const unended = wire`<function=${name}\n${damaged}</function>`
/** Another tag replaces the opening tags, and is closed like an argument. */
const misopened = toolElement({ body: 'name', opener: '<name>', next: '</parameter>' })
const quoted = wire`<function="${name}">\n${each(argument)}</function>`

export const qwen3Coder: Protocol<'qwen3-coder'> = {
  id: 'qwen3-coder',
  call: ['<tool_call>\n', ...called, '\n</tool_call>'],
  variants: [
    called,
    ['<tool_call>\n', ...named, '\n</tool_call>'],
    named,
    ['<tool_call>\n', ...quoted, '\n</tool_call>'],
    wire`<tool_call>\n<function=${name}>\n${misplaced}</function>\n</tool_call>`,
    wire`<tool_call>\n<function>${name}</function>\n${misplaced}</function>\n</tool_call>`,
    wire`<tool_call>\n${envelope}\n</tool_call>`,
    wire`<tool_call>\n<function=${name}>\n${args}\n</function>\n</tool_call>`,
    wire`<function=${name}>\n${args}\n</function>`,
    ['<tool_call>\n', ...unended, '\n</tool_call>'],
    unended,
    ...misnamed.map((wire) => ['<tool_call>\n', ...wire, '\n</tool_call>']),
    wire`<tool_call>\nfunction=${name}>\n${damaged}</function>\n</tool_call>`,
    wire`<tool_call>\n<name>${name}</name>\n${damaged}</tool_call>`,
    wire`${misopened}</parameter>\n${each(argument)}</function>\n</tool_call>`,
  ],
  general: misnamed,
  reasoning: wire`<think>\n${text}\n</think>`,
  ignore: ['</tool_call>', '<|im_end|>'],
  result: wire`<tool_response>\n${output}\n</tool_response>`,
}

export const family: Family = {
  about: 'Qwen3-Coder, MiMo: a tag per argument, raw strings',
  models: [
    /(?:^|_)qwen-?3(?![.p]\d).*coder/i,
    /mimo-v\d|intellect-3|granite-?4[.p]2|intern-?s2|minicpm-?v-?4[._]6/i,
  ],
}

export const prompt: Prompt = ({ tools }) =>
  functionTags(tools.map(xmlTree).join('\n'), {
    kind: 'tool',
    value: 'value_2',
    rule: 'the tool calling block MUST begin with an opening <tool_call> tag and end with a closing </tool_call> tag.',
  })

export const examples: Examples = {
  'a value keeps its own lines': {
    wire: '<tool_call>\n<function=write_file>\n<parameter=path>\n12\n</parameter>\n<parameter=content>\n  if a < b:\n\n    pass\n</parameter>\n</function>\n</tool_call>',
    calls: [['write_file', { path: '12', content: '  if a < b:\n\n    pass' }]],
  },
  'a name in place of a value': {
    wire: '<tool_call>\n<function=write_file>\n<parameter>path</parameter>\na.txt\n</parameter>\n<parameter>content</parameter>\nb\n</parameter>\n</function>\n</tool_call>',
    calls: [['write_file', { path: 'a.txt', content: 'b' }]],
    variant: true,
  },
  'no argument, no outer tag': {
    wire: '<function=ping>\n</function>\n</tool_call>',
    calls: [['ping', {}]],
    variant: true,
  },
}
