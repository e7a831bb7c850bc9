import { tool } from '@toolglot/agent'

/** The tool called by the scripted models of these benchmarks. */
export function weather(name = 'weather') {
  return tool({
    name,
    description: 'Tells the weather',
    parameters: {
      type: 'object',
      properties: { city: { type: 'string' }, day: { type: 'integer' } },
      required: ['city', 'day'],
    },
    readOnly: true,
    execute: ({ city }) => `It is fine in ${String(city)}.`,
  })
}

/**
 * A call of that tool, as a model writes it.
 *
 * @param {number} turn
 */
export function callWeather(turn, name = 'weather') {
  const place = `"city": "Place number ${turn}", "day": ${turn}`
  return `<tool_call>\n{"name": "${name}", "arguments": {${place}}}\n</tool_call>`
}
