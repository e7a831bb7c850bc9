import { jsonrepair } from 'jsonrepair'
import { jsonrepairTransform } from 'jsonrepair/stream'

/**
 * Shows arguments as they arrive by repairing and parsing the whole text again for each chunk.
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
    for (const chunk of chunks) args = repaired((text += chunk)) ?? args
    return args
  },
}

/**
 * Some partial texts cannot be repaired, so they add nothing.
 *
 * @param {string} text
 */
function repaired(text) {
  try {
    return JSON.parse(jsonrepair(text))
  } catch {
    return undefined
  }
}

/**
 * jsonrepair's own stream: linear, but it emits a string only at its end, so it needs a buffer for
 * the longest one.
 *
 * @type {import('./reader.mjs').Reader}
 */
export const repairStream = {
  name: 'jsonrepair/stream',
  reads: 'arguments',
  budget: true,
  async stream(chunks) {
    const stream = jsonrepairTransform({ bufferSize: Infinity })
    let text = ''
    stream.on('data', (part) => (text += part))
    const ended = new Promise((resolve, reject) => stream.on('end', resolve).on('error', reject))
    for (const chunk of chunks) {
      if (!stream.write(chunk)) await new Promise((resolve) => stream.once('drain', resolve))
    }
    stream.end()
    await ended
    return JSON.parse(text)
  },
}
