import { aside, calls, envelope, gap, output, text, wire } from '../draw.ts'
import type { Examples, Family, Prompt, Protocol } from '../protocol.ts'
import { openAiTool } from '../prompt/tools.ts'

/** Differs: the template drops calls from the history and, if there is a system message, the text before the tools. */
export const granite: Protocol<'granite'> = {
  id: 'granite',
  section: wire`<|tool_call|>${gap}[${calls({ separator: ', ' })}]`,
  call: wire`${envelope}`,
  variants: [
    wire`<tool_call>${gap}[${calls({ separator: ', ' })}]`,
    wire`[${calls({ separator: ', ' })}]`,
  ],
  general: [wire`<|tool_call|>${aside({ repair: 'stray-text' })}[${envelope}]`],
  reasoning: wire`<think>${text}</think>`,
  answer: wire`<response>${text}</response>`,
  ignore: ['<|end_of_text|>'],
  result: wire`${output}`,
}

export const family: Family = {
  about: 'Granite 3: a JSON list after a mark',
  models: [/granite-?3(?![\db])/i],
}

export const prompt: Prompt = ({ tools }) =>
  `You are a helpful assistant with access to the following tools. When a tool is required to answer the user's query, respond only with <|tool_call|> followed by a JSON list of tools used. If a tool does not exist in the provided list of tools, notify the user that you do not have the ability to fulfill the request.<|end_of_text|>
<|start_of_role|>available_tools<|end_of_role|>${JSON.stringify(tools.map(openAiTool), null, 4)}`

export const examples: Examples = {
  'one call': { wire: '<|tool_call|>[{"name": "ping", "arguments": {}}]', calls: [['ping', {}]] },
  'a thought and an answer': {
    wire: '<think>Easy.</think>Hello.',
    reasoning: 'Easy.',
    text: 'Hello.',
  },
  'words before the list': {
    wire: '<|tool_call|> the calls: [{"name": "ping", "arguments": {"n": 1}}, {"name": "pong", "arguments": {}}] Done.',
    text: ' Done.',
    calls: [
      ['ping', { n: 1 }],
      ['pong', {}],
    ],
    repairs: ['stray-text', 'several-calls'],
    variant: true,
  },
  'words about a list': {
    wire: 'It is <|tool_call|> and a list [1].',
    text: 'It is <|tool_call|> and a list [1].',
    malformed: ['empty'],
    variant: true,
  },
}
