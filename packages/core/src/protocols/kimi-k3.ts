import { calls, each, id, key, kind, name, output, text, value, wire } from '../draw.ts'
import { jsonLines } from '../prompt/json-lines.ts'
import type { Protocol } from '../protocol.ts'

const argument = wire`<|open|>argument key="${key}" type="${kind({ text: 'string' })}"<|sep|>${value()}<|close|>argument<|sep|>`

export const kimiK3: Protocol = {
  id: 'kimi-k3',
  about: 'Kimi K3: every tag between marks, each argument with its type',
  section: wire`<|open|>tools<|sep|>${calls()}<|close|>tools<|sep|>`,
  call: wire`<|open|>call tool="${name}" index="${id}"<|sep|>${each(argument)}<|close|>call<|sep|>`,
  reasoning: wire`<|open|>think<|sep|>${text}<|close|>think<|sep|>`,
  ignore: [
    '<|open|>response<|sep|>',
    '<|close|>response<|sep|>',
    '<|close|>message<|sep|>',
    '<|end_of_msg|>',
  ],
  result: wire`<|open|>result<|sep|>${output}<|close|>result<|sep|>`,
  prompt: jsonLines,
  models: [/kimi-?k3/i],
  examples: {
    'one call': {
      wire: '<|open|>tools<|sep|><|open|>call tool="get_weather" index="1"<|sep|><|open|>argument key="city" type="string"<|sep|>Paris<|close|>argument<|sep|><|open|>argument key="days" type="number"<|sep|>2<|close|>argument<|sep|><|close|>call<|sep|><|close|>tools<|sep|>',
      calls: [['get_weather', { city: 'Paris', days: 2 }]],
      variant: true,
    },
  },
}
