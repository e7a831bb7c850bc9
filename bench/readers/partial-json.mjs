import { parse } from 'partial-json'

/**
 * Reads the whole text again for each chunk, which is the intended use.
 *
 * @type {import('./reader.mjs').Reader}
 */
export const partialJson = {
  name: 'partial-json',
  reads: 'arguments',
  budget: true,
  whole: (text) => parse(text),
  stream(chunks) {
    let text = ''
    let args
    for (const chunk of chunks) args = parse((text += chunk))
    return args
  },
}
