import { readFileSync } from 'node:fs'

/**
 * A reply with one call, and the expected reading.
 *
 * @typedef {object} Text
 * @property {string} reply
 * @property {string} text the text around the call
 * @property {Record<string, unknown>} args
 * @property {string} json the arguments, as written in the reply
 */

/**
 * The tools of all texts: passed to readers that use schemas.
 *
 * @type {{ name: string, parameters: { type: 'object', properties: Record<string, Property> } }[]}
 * @typedef {{ type: 'string' }} Property
 */
export const tools = [
  { name: 'read_file', parameters: { type: 'object', properties: { path: { type: 'string' } } } },
  {
    name: 'write_file',
    parameters: {
      type: 'object',
      properties: { path: { type: 'string' }, content: { type: 'string' } },
    },
  },
]

/**
 * Prose, with a small call at its end.
 *
 * @param {number} size in characters
 * @returns {Text}
 */
export function textHeavy(size) {
  const args = { path: 'src/settings.ts' }
  const length = size - reply('', 'read_file', args).reply.length
  return reply(many(sample('prose'), length), 'read_file', args)
}

/**
 * An answer without a call.
 *
 * @param {number} size
 */
export function prose(size) {
  return many(sample('prose'), size)
}

/**
 * An answer with headings, lists and code, repeated as a whole.
 *
 * @param {number} size approximate
 */
export function markdown(size) {
  const text = sample('markdown')
  return many(text, text.length * Math.max(Math.round(size / text.length), 1))
}

/**
 * A JSON answer: records with names that are not calls.
 *
 * @param {number} size approximate
 */
export function records(size) {
  const record = { name: 'Hanoi', arguments: 'none', days: [31, 28.5, 30], note: 'sun {then} rain' }
  const count = Math.max(Math.round(size / JSON.stringify(record, null, 2).length), 1)
  return JSON.stringify(Array(count).fill(record), null, 2)
}

/**
 * A call that writes a file of source code.
 *
 * @param {number} size in characters
 * @returns {Text}
 */
export function argumentHeavy(size) {
  return reply('I write the file now.\n', 'write_file', fileOf(size))
}

/**
 * Text with the arguments before the name, so the tool is unknown until the end.
 *
 * @param {number} size
 */
export function argumentsFirst(size) {
  const json = JSON.stringify(fileOf(size))
  const closing = ', "name": "write_file"}\n</tool_call>'
  return ['<tool_call>\n{"arguments": ', json, closing].join('')
}

/**
 * Text full of incomplete openings.
 *
 * @param {number} size
 */
export function nearMiss(size) {
  return many(sample('near-miss'), size)
}

/**
 * @param {string} text
 * @param {string} name
 * @param {Record<string, unknown>} args
 * @returns {Text}
 */
function reply(text, name, args) {
  const json = JSON.stringify(args)
  const opening = `<tool_call>\n{"name": "${name}", "arguments": `
  return { reply: [text, opening, json, '}\n</tool_call>'].join(''), text, args, json }
}

/** @param {number} size approximate, of the arguments as JSON */
function fileOf(size) {
  const source = sample('source')
  const growth = JSON.stringify(source).length / source.length
  const content = many(source, (size - 100) / growth)
  // The file ends with a function: jsonrepair refuses some strings with a lone brace.
  return { path: 'src/settings.js', content: content.slice(0, content.lastIndexOf('\n}\n') + 3) }
}

/**
 * A repeated text. Unlike `repeat` or `slice`, this creates one flat string, like a reply from the
 * network.
 *
 * @param {string} text
 * @param {number} size
 */
export function many(text, size) {
  const rest = Math.max(Math.floor(size), 0) % text.length
  const parts = Array(Math.max(Math.floor(size / text.length), 0)).fill(text)
  return [...parts, text.slice(0, rest)].join('')
}

/** @param {string} name */
function sample(name) {
  return readFileSync(new URL(`samples/${name}.txt`, import.meta.url), 'utf8')
}
