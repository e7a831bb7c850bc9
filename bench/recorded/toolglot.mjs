import { collectReply, createParser, protocols } from '@toolglot/core'

/** @typedef {import('./vectors.mjs').Reply} Reply */

/**
 * @param {Reply} reply
 * @param {{ auto: boolean, onlyComplete?: boolean }} options auto: without the given protocol
 * @returns {import('./judge.mjs').Readings}
 */
export function readWithToolglot(reply, { auto, onlyComplete = false }) {
  const { tools, prefix, startsInReasoning, text, finish = 'stop' } = reply
  const options = {
    ...(!auto && { protocols: protocolOf(reply) }),
    ...(tools && { tools }),
    ...(prefix && { prefix }),
    ...(startsInReasoning && { startsInReasoning }),
  }
  return { whole: read([text]), characters: read(text.split('')) }

  /** @param {string[]} chunks */
  function read(chunks) {
    const parser = createParser(options)
    const events = chunks.flatMap((chunk) => parser.feed(chunk))
    const { calls, text } = collectReply([...events, ...parser.end({ finish })])
    const counted = onlyComplete ? calls.filter(({ complete }) => complete) : calls
    return { calls: counted.map(({ name, args }) => ({ name, arguments: args })), text }
  }
}

/** @param {Reply} reply */
function protocolOf({ id, protocol }) {
  const found = protocols[protocol]
  if (!found) throw new Error(`Unknown protocol "${protocol}" of ${id}.`)
  return found
}
