import { calls, elements, name, output, text, wire } from '../draw.ts'
import { jsonLines } from '../prompt/json-lines.ts'
import type { Protocol } from '../protocol.ts'

/** Stands before every tag. */
const mark = ']<]minimax[>['

export const minimaxM3: Protocol = {
  id: 'minimax-m3',
  about: 'MiniMax M3: elements named after the arguments, a mark before each tag',
  section: wire`${mark}<tool_call>\n${calls({ separator: '\n' })}\n${mark}</tool_call>`,
  call: wire`${mark}<invoke name="${name}">${elements({ prefix: mark })}${mark}</invoke>`,
  reasoning: wire`<mm:think>${text}</mm:think>`,
  result: wire`<response>${output}</response>`,
  prompt: jsonLines,
  models: [/minimax-?m3/i],
  examples: {
    'nested values': {
      wire: `${mark}<tool_call>\n${mark}<invoke name="get_weather">${mark}<city>Paris${mark}</city>${mark}<days>2${mark}</days>${mark}</invoke>\n${mark}</tool_call>`,
      calls: [['get_weather', { city: 'Paris', days: 2 }]],
    },
  },
}
