import { createRegistry } from '@toolglot/agent/registry'
import { callWeather, weather } from '../run/weather.mjs'

const tools = createRegistry([weather()])

/**
 * A model that replies immediately, so that all measured time is our own, with a tool to call in
 * each turn.
 *
 * @param {number} turns
 * @returns {Pick<import('@toolglot/agent').DriveOptions, 'model' | 'tools'>}
 */
export function agent(turns) {
  return {
    tools,
    model: {
      name: 'script hermes',
      async *reply({ messages }) {
        const turn = messages.filter(({ role }) => role === 'assistant').length
        yield { type: 'text', delta: turn < turns ? callWeather(turn) : 'Done.' }
        yield { type: 'finish', finish: 'stop' }
      },
    },
  }
}
