import {
  aside,
  calls,
  each,
  index,
  key,
  kind,
  name,
  output,
  results,
  text,
  value,
  wire,
} from '../draw.ts'
import { sortedJson } from '../prompt/sorted.ts'
import { openAiTool } from '../prompt/tools.ts'
import type { Examples, Family, Prompt, Protocol } from '../protocol.ts'

const argument = wire`<|open|>argument key="${key}" type="${kind({ text: 'string' })}"<|sep|>${value()}<|close|>argument<|sep|>`

export const kimiK3: Protocol<'kimi-k3'> = {
  id: 'kimi-k3',
  section: wire`<|open|>tools<|sep|>${calls()}<|close|>tools<|sep|>`,
  call: wire`<|open|>call tool="${name}" index="${index({ from: 1 })}"<|sep|>${each(argument)}<|close|>call<|sep|>`,
  // Models sometimes lose the text between two tags.
  general: [
    wire`<|open|>toolscall tool="${name}" index="${index({ from: 1 })}"<|sep|>${aside({ repair: 'missing-mark', marks: [] })}${each(argument)}<|close|>call<|sep|>`,
  ],
  reasoning: wire`<|open|>think<|sep|>${text}<|close|>think<|sep|>`,
  answer: wire`<|open|>response<|sep|>${text}<|close|>response<|sep|>`,
  ignore: [
    '<|open|>message role="assistant"<|sep|>',
    '<|close|>response<|sep|>',
    '<|close|>tools<|sep|>',
    '<|close|>toolsmessage<|sep|>',
    '<|close|>message<|sep|>',
    '<|end_of_msg|>',
  ],
  result: wire`<|open|>message role="tool" tool="${name}" index="${index({ from: 1 })}"<|sep|>${output}<|close|>message<|sep|>`,
  results: wire`${results('<|end_of_msg|>')}`,
}

export const family: Family = {
  about: 'Kimi K3: every tag between marks, each argument with its type',
  models: [/kimi-?k3/i],
}

export const prompt: Prompt = ({ tools }) => `# Tools
Here are the available tools, described in JSONSchema.

\`\`\`json
${sortedJson(tools.map(openAiTool))}
\`\`\``

export const examples: Examples = {
  'one call': {
    wire: '<|open|>tools<|sep|><|open|>call tool="get_weather" index="1"<|sep|><|open|>argument key="city" type="string"<|sep|>Paris<|close|>argument<|sep|><|open|>argument key="days" type="number"<|sep|>2<|close|>argument<|sep|><|close|>call<|sep|><|close|>tools<|sep|>',
    calls: [['get_weather', { city: 'Paris', days: 2 }]],
  },
  'a thought and an answer': {
    wire: '<|open|>think<|sep|>Easy.<|close|>think<|sep|><|open|>response<|sep|>Hello.<|close|>response<|sep|><|close|>message<|sep|>',
    reasoning: 'Easy.',
    text: 'Hello.',
  },
  'lost between the tags': {
    wire: 'Fine.<|open|>toolscall tool="ping" index="1"<|sep|><|open|>argument key="n" type="number"<|sep|>1<|close|>argument<|sep|><|close|>call<|sep|><|close|>toolsmessage<|sep|>',
    text: 'Fine.',
    calls: [['ping', { n: 1 }]],
    repairs: ['missing-mark'],
    variant: true,
  },
}
