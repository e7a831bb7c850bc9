import { calls, gap, index, json, outputJson, results, status, text, wire } from '../draw.ts'
import { cohereTools } from '../prompt/cohere.ts'
import type { Examples, Family, Prompt, Protocol } from '../protocol.ts'

const envelope = json({
  id: 'tool_call_id',
  name: 'tool_name',
  args: ['parameters', 'arguments'],
  numbered: 0,
})

/**
 * Follows the template of Command R7B. The template of North Mini differs: it only lists the tools,
 * and puts output in `{"content": …}`.
 */
export const cohere: Protocol<'cohere'> = {
  id: 'cohere',
  section: wire`<|START_ACTION|>${gap}[\n    ${calls({ separator: ',\n    ' })}\n]${gap}<|END_ACTION|>`,
  call: wire`${envelope}`,
  variants: [wire`<|START_ACTION|>${envelope}<|END_ACTION|>`],
  reasoning: wire`<|START_THINKING|>${text}<|END_THINKING|>`,
  answer: [
    wire`<|START_RESPONSE|>${text}<|END_RESPONSE|>`,
    wire`<|START_TEXT|>${text}<|END_TEXT|>`,
  ],
  ignore: [
    '<|START_OF_TURN_TOKEN|>',
    '<|CHATBOT_TOKEN|>',
    '<|END_OF_TURN_TOKEN|>',
    '<|END_ACTION|>',
    '<|END_RESPONSE|>',
    '<|END_TEXT|>',
  ],
  result: wire`{
        "tool_call_id": "${index()}",
        "results": {
            "0": ${outputJson}
        },
        "is_error": ${status('null', 'true')}
    }`,
  results: wire`<|START_TOOL_RESULT|>[\n    ${results(',\n    ')}\n]<|END_TOOL_RESULT|>`,
}

export const family: Family = {
  about: 'Command R7B, Command A: a JSON list between marks',
  models: [/command-?(?:r7b|a\b)/i, /north-?mini/i],
}

export const prompt: Prompt = cohereTools

export const examples: Examples = {
  'one call': {
    wire: '<|START_ACTION|>[\n    {"tool_call_id": "0", "tool_name": "ping", "parameters": {}}\n]<|END_ACTION|>',
    calls: [['ping', {}]],
  },
  'a thought and an answer': {
    wire: '<|START_THINKING|>No tool.<|END_THINKING|><|START_RESPONSE|>Hello.<|END_RESPONSE|>',
    reasoning: 'No tool.',
    text: 'Hello.',
  },
}
