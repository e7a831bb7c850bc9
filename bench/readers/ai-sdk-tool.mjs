import { hermesProtocol } from '@ai-sdk-tool/parser'
import { tools } from '../texts.mjs'

/** @typedef {import('@ai-sdk-tool/parser').TCMProtocol} Protocol */
/** @typedef {Parameters<Protocol['parseGeneratedText']>[0]['tools']} Tools */

/** @type {Tools} */
const theirTools = tools.map(({ name, parameters }) => ({
  type: 'function',
  name,
  inputSchema: parameters,
}))

/**
 * The only peer that reads replies. It uses web streams, whose own cost is measured separately.
 *
 * @type {import('./reader.mjs').Reader}
 */
export const aiSdkTool = {
  name: '@ai-sdk-tool/parser',
  reads: 'reply',
  budget: true,
  whole(text) {
    const parts = hermesProtocol().parseGeneratedText({ text, tools: theirTools })
    return argumentsIn(parts)
  },
  async stream(chunks) {
    const parser = hermesProtocol().createStreamParser({ tools: theirTools })
    return argumentsIn(await through(parser, chunks))
  },
}

/** @type {import('./reader.mjs').Reader} */
export const bareStream = {
  name: 'TransformStream that passes on',
  reads: 'reply',
  finds: false,
  budget: true,
  stream: (chunks) => through(new TransformStream(), chunks),
}

/**
 * @param {TransformStream} stream
 * @param {Iterable<string>} chunks
 */
async function through(stream, chunks) {
  const parts = []
  const source = ReadableStream.from(partsOf(chunks))
  for await (const part of source.pipeThrough(stream)) {
    if (part.type === 'tool-call') parts.push(part)
  }
  return parts
}

/** @param {Iterable<string>} chunks */
function* partsOf(chunks) {
  for (const delta of chunks) yield { type: 'text-delta', id: '1', delta }
  yield { type: 'finish', finishReason: 'stop', usage: {} }
}

/** @param {{ type: string, input?: unknown }[]} parts */
function argumentsIn(parts) {
  const call = parts.find(({ type }) => type === 'tool-call')
  return call && JSON.parse(String(call.input))
}
