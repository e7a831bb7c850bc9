import { run, tool } from '@toolglot/agent'
import { scriptedModel } from '@toolglot/agent/testing'
import { z } from 'zod'

const weather = tool({
  name: 'get_weather',
  description: 'Get the weather in a city',
  parameters: z.object({ city: z.string() }),
  readOnly: true,
  execute: ({ city }) => `It is clear in ${city}.`,
})

// For a real model: openAiCompatible({ url: 'http://127.0.0.1:11434', model: 'qwen3:8b' })
const model = scriptedModel(
  [
    'Let me see. <tool_call>\n{"name": "get_weather", "arguments": {"city": "Hanoi"}}\n</tool_call>',
    'Take no umbrella.',
  ],
  { name: 'hermes-3' },
)

for await (const event of run({ model, tools: [weather], prompt: 'Umbrella in Hanoi?' })) {
  if (event.type === 'text') console.log(event.delta.trim())
  if (event.type === 'tool-end') console.log(`${event.name}: ${event.outcome.text}`)
  if (event.type === 'run-end') console.log(event.reason)
}

// Let me see.
// get_weather: It is clear in Hanoi.
// Take no umbrella.
// answer
