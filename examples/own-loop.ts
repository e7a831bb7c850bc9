// Your own loop: request a reply, run its calls, and repeat.
import { collect, cycle, type Message, tool, turn } from '@toolglot/agent'
import { scriptedModel } from '@toolglot/agent/testing'
import { printCall } from '@toolglot/core'

const weather = tool({
  name: 'get_weather',
  description: 'Get the weather in a city',
  parameters: {
    type: 'object',
    properties: { city: { type: 'string' } },
    required: ['city'],
  },
  readOnly: true,
  execute: ({ city }) => ({ city, sky: 'rain' }),
})

// A replacement for a real model, which writes its calls as text.
const model = scriptedModel([
  printCall('hermes', { name: 'get_weather', args: { city: 'Hanoi' } }),
  'Take an umbrella.',
])

const messages: Message[] = [{ role: 'user', content: 'Umbrella in Hanoi?' }]
for (;;) {
  const reply = await collect(turn({ model, messages, tools: [weather], protocol: 'hermes' }))
  messages.push(reply.message)
  if (reply.calls.length + reply.malformed.length === 0) {
    console.log(reply.text)
    break
  }
  const { message, calls } = await collect(cycle({ reply, messages, tools: [weather] }))
  for (const { name, args, outcome } of calls) console.log(name, args, outcome.data)
  messages.push(message)
}

// get_weather { city: 'Hanoi' } { city: 'Hanoi', sky: 'rain' }
// Take an umbrella.
