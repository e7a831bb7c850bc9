import { jsonrepair } from 'jsonrepair'
import { jsonrepairTransform } from 'jsonrepair/stream'

/**
 * To see arguments as they come, what came so far is repaired and parsed again for each chunk.
 *
 * @type {import('./reader.mjs').Reader}
 */
export const repairAgain = {
  name: 'jsonrepair',
  reads: 'arguments',
  budget: true,
  whole: (text) => JSON.parse(jsonrepair(text)),
  stream(chunks) {
    let text = ''
    let args
    for (const chunk of chunks) args = JSON.parse(jsonrepair((text += chunk)))
    return args
  },
}

/**
 * Its own stream: linear, but it hands out text 64 KB late and the arguments only at the end.
 *
 * @type {import('./reader.mjs').Reader}
 */
export const repairStream = {
  name: 'jsonrepair/stream',
  reads: 'arguments',
  budget: true,
  async stream(chunks) {
    const stream = jsonrepairTransform()
    let repaired = ''
    stream.on('data', (part) => (repaired += part))
    const ended = new Promise((resolve, reject) => stream.on('end', resolve).on('error', reject))
    for (const chunk of chunks) {
      if (!stream.write(chunk)) await new Promise((resolve) => stream.once('drain', resolve))
    }
    stream.end()
    await ended
    return JSON.parse(repaired)
  },
}
