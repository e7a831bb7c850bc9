import { args, calls, name, output, text, wire } from '../draw.ts'
import { jsonLines } from '../prompt/json-lines.ts'
import type { Protocol } from '../protocol.ts'

const fenced = wire`<｜tool▁call▁begin｜>function<｜tool▁sep｜>${name}\n\`\`\`json\n${args}\n\`\`\`<｜tool▁call▁end｜>`

export const deepseekV3: Protocol = {
  id: 'deepseek-v3',
  about: 'DeepSeek V3, R1 and its distillations: fenced JSON between marks',
  section: wire`<｜tool▁calls▁begin｜>${calls({ separator: '\n' })}<｜tool▁calls▁end｜>`,
  call: fenced,
  variants: [wire`<｜tool▁call▁begin｜>function<｜tool▁sep｜>${name}\n${args}<｜tool▁call▁end｜>`],
  reasoning: wire`<think>${text}</think>`,
  ignore: ['<｜end▁of▁sentence｜>'],
  result: wire`<｜tool▁outputs▁begin｜><｜tool▁output▁begin｜>${output}<｜tool▁output▁end｜><｜tool▁outputs▁end｜>`,
  prompt: jsonLines,
  models: [/deepseek.*(?:v3(?!\.)|r1)/i, /cogito/i],
  examples: {
    'one call': {
      wire: '<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>get_weather\n```json\n{"city": "Paris"}\n```<｜tool▁call▁end｜><｜tool▁calls▁end｜>',
      calls: [['get_weather', { city: 'Paris' }]],
    },
  },
}
