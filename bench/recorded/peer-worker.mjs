// Reads replies as an application with @ai-sdk-tool/parser does: through its middleware, which also
// looks for JSON if its protocol found nothing. Runs in a separate thread, since it may not
// terminate.
import {
  encodeOriginalTools,
  hermesProtocol,
  morphXmlProtocol,
  qwen3CoderProtocol,
  wrapGenerate,
  wrapStream,
  yamlXmlProtocol,
} from '@ai-sdk-tool/parser'
import { parentPort } from 'node:worker_threads'

/** @typedef {import('./judge.mjs').Reading} Reading */
/** @typedef {import('./peer.mjs').Request} Request */
/** @typedef {Parameters<typeof wrapGenerate>[0]} Generate */
/** @typedef {Parameters<typeof wrapStream>[0]} Stream */
/** @typedef {Awaited<ReturnType<Stream['doStream']>>['stream']} Parts */
/** @typedef {Parts extends ReadableStream<infer Part> ? Part : never} Part */

/** @type {Record<import('./peer.mjs').PeerProtocol, () => Generate['protocol']>} */
const protocols = {
  hermes: hermesProtocol,
  'morph-xml': morphXmlProtocol,
  'qwen3-coder': qwen3CoderProtocol,
  'yaml-xml': yamlXmlProtocol,
}

const usage = {
  inputTokens: { total: 0, noCache: 0, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 0, text: 0, reasoning: 0 },
}

parentPort?.on('message', (/** @type {Request} */ request) => {
  void read(request)
    .catch(() => undefined)
    .then((answer) => parentPort?.postMessage(answer))
})

/** @param {Request} request */
async function read({ protocol, tools, text, delivery, finish }) {
  const finishReason = { unified: finish, raw: finish }
  const options = {
    protocol: protocols[protocol](),
    params: { providerOptions: { toolCallMiddleware: { originalTools: encoded(tools) } } },
    doGenerate: async () => ({
      content: [{ type: /** @type {const} */ ('text'), text }],
      finishReason,
      usage,
      warnings: [],
    }),
    doStream: async () => ({ stream: ReadableStream.from(partsOf(text, finishReason)) }),
  }
  const parts = delivery === 'whole' ? await whole(options) : await characters(options)
  return readingOf(parts)
}

/** @param {Generate} options */
async function whole(options) {
  return (await wrapGenerate(options)).content
}

/** @param {Stream} options */
async function characters(options) {
  const { stream } = await wrapStream(options)
  const parts = []
  for await (const part of stream) parts.push(part)
  return parts
}

/**
 * @param {string} text
 * @param {Extract<Part, { type: 'finish' }>['finishReason']} finishReason
 * @returns {Iterable<Part>}
 */
function* partsOf(text, finishReason) {
  yield { type: 'text-start', id: '1' }
  for (const delta of text.split('')) yield { type: 'text-delta', id: '1', delta }
  yield { type: 'text-end', id: '1' }
  yield { type: 'finish', finishReason, usage }
}

/**
 * @param {({ type: string, text?: string, delta?: string, toolName?: string, input?: unknown })[]} parts
 * @returns {Reading}
 */
function readingOf(parts) {
  /** @type {Reading} */
  const reading = { calls: [], text: '' }
  for (const { type, text, delta, toolName = '', input } of parts) {
    if (type === 'text') reading.text += text
    else if (type === 'text-delta') reading.text += delta
    else if (type === 'tool-call') {
      reading.calls.push({ name: toolName, arguments: JSON.parse(String(input)) })
    }
  }
  return reading
}

/** @param {Request['tools']} tools */
function encoded(tools) {
  return encodeOriginalTools(
    tools.map(({ name, parameters = { type: 'object' } }) => ({
      type: 'function',
      name,
      inputSchema: parameters,
    })),
  )
}
