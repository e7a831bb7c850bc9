import { parse } from 'partial-json'

/**
 * It reads everything so far again for each chunk, which is its intended use.
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
