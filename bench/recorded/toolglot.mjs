import { collectReply, createParser, protocols } from '@toolglot/core'

/**
 * @param {import('./vectors.mjs').Vector} vector
 * @param {{ auto: boolean }} options auto: the protocol is not given
 * @returns {import('./judge.mjs').Readings}
 */
export function readWithToolglot(vector, { auto }) {
  const { tools, prefix, startsInReasoning, text } = vector
  const options = {
    ...(!auto && { protocols: protocolOf(vector) }),
    ...(tools && { tools }),
    ...(prefix && { prefix }),
    ...(startsInReasoning && { startsInReasoning }),
  }
  return { whole: read([text], options), characters: read(text.split(''), options) }
}

/**
 * @param {string[]} chunks
 * @param {import('@toolglot/core').ParserOptions} options
 */
function read(chunks, options) {
  const parser = createParser(options)
  const events = chunks.flatMap((chunk) => parser.feed(chunk))
  const { calls, text } = collectReply([...events, ...parser.end()])
  return { calls: calls.map(({ name, args }) => ({ name, arguments: args })), text }
}

/** @param {import('./vectors.mjs').Vector} vector */
function protocolOf({ id, protocol }) {
  const found = protocols[protocol]
  if (!found) throw new Error(`There is no protocol "${protocol}", which ${id} is written in.`)
  return found
}
