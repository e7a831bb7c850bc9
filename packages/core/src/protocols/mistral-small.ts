import { args, id, name, output, wire } from '../draw.ts'
import type { Examples, Family, Prompt, Protocol } from '../protocol.ts'
import { mistral, prompt as mistralPrompt } from './mistral.ts'

export const mistralSmall: Protocol<'mistral-small'> = {
  ...mistral,
  id: 'mistral-small',
  dialect: 'mistral',
  call: wire`[TOOL_CALLS]${name}[CALL_ID]${id}[ARGS]${args}`,
  variants: [mistral.call, ...mistral.variants!.slice(1)],
  result: wire`[TOOL_RESULTS]${id}[TOOL_CONTENT]${output}[/TOOL_RESULTS]`,
}

export const family: Family = {
  about: 'Mistral Small 3.2: like Mistral, with ids',
  models: [/(?:^|_)mistral-?small-?3\.[2-9]/i],
}

export const prompt: Prompt = mistralPrompt

export const examples: Examples = {
  'two calls': {
    wire: '[TOOL_CALLS]get_weather[CALL_ID]abcdefghi[ARGS]{"city": "Paris"}[TOOL_CALLS]ping[CALL_ID]123456789[ARGS]{}',
    calls: [
      ['get_weather', { city: 'Paris' }],
      ['ping', {}],
    ],
  },
}
