import { createParser, parse, protocols } from '@toolglot/core'
import { tools } from '../texts.mjs'

/** @typedef {import('@toolglot/core').ParserOptions} ParserOptions */

/** @type {{ protocols: import('@toolglot/core').Protocol, tools: typeof tools }} */
export const onlyHermes = { protocols: hermes(), tools }
export const everyProtocol = { tools }

/**
 * @param {string} name
 * @param {ParserOptions} options
 * @returns {import('./reader.mjs').Reader}
 */
export function toolglot(name, options) {
  return {
    name,
    reads: 'reply',
    whole: (text) => parse(text, options).calls[0]?.args,
    stream: (chunks) => read(chunks, options)[0]?.args,
  }
}

/**
 * Reads chunks like a program that shows text and runs calls: it uses every event.
 *
 * @param {Iterable<string>} chunks
 * @param {ParserOptions} options
 */
export function read(chunks, options) {
  const parser = createParser(options)
  /** @type {import('@toolglot/core').Call[]} */
  const calls = []
  let shown = 0
  for (const chunk of chunks) see(parser.feed(chunk))
  see(parser.end())
  return calls

  /** @param {import('@toolglot/core').Event[]} events */
  function see(events) {
    for (const event of events) {
      if (event.type === 'text') shown += event.delta.length
      else if (event.type === 'call-end') calls.push(event.call)
    }
  }
}

function hermes() {
  const { hermes } = protocols
  if (!hermes) throw new Error('Unknown protocol "hermes".')
  return hermes
}
