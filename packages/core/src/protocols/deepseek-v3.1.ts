import { args, calls, name, output, text, wire } from '../draw.ts'
import { jsonLines } from '../prompt/json-lines.ts'
import type { Protocol } from '../protocol.ts'

export const deepseekV31: Protocol = {
  id: 'deepseek-v3.1',
  about: 'DeepSeek V3.1: the name, a mark, JSON',
  section: wire`<｜tool▁calls▁begin｜>${calls()}<｜tool▁calls▁end｜>`,
  call: wire`<｜tool▁call▁begin｜>${name}<｜tool▁sep｜>${args}<｜tool▁call▁end｜>`,
  reasoning: wire`<think>${text}</think>`,
  ignore: ['<｜end▁of▁sentence｜>'],
  result: wire`<｜tool▁output▁begin｜>${output}<｜tool▁output▁end｜>`,
  prompt: jsonLines,
  models: [/deepseek.*v3\.1/i],
  examples: {
    'two calls': {
      wire: '<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>get_weather<｜tool▁sep｜>{"city": "Paris"}<｜tool▁call▁end｜><｜tool▁call▁begin｜>ping<｜tool▁sep｜>{}<｜tool▁call▁end｜><｜tool▁calls▁end｜>',
      calls: [
        ['get_weather', { city: 'Paris' }],
        ['ping', {}],
      ],
    },
  },
}
