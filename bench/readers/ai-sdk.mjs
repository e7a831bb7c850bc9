import { parsePartialJson } from 'ai'

/**
 * The AI SDK's reader of partial JSON. Like the SDK, it parses the whole text again for each chunk.
 *
 * @type {import('./reader.mjs').Reader}
 */
export const aiSdk = {
  name: "ai's parsePartialJson",
  reads: 'arguments',
  budget: true,
  whole: async (text) => (await parsePartialJson(text)).value,
  async stream(chunks) {
    let text = ''
    let args
    for (const chunk of chunks) args = (await parsePartialJson((text += chunk))).value
    return args
  },
}
