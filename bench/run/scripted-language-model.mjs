/**
 * A scripted language model of the AI SDK: some turns with one call each, then an answer. Each
 * reply has a few chunks, and depends only on the number of results in the request.
 *
 * @typedef {Extract<import('ai').LanguageModel, { specificationVersion: 'v3' }>} LanguageModel
 * @typedef {Parameters<LanguageModel['doStream']>[0]} Request
 * @typedef {Awaited<ReturnType<LanguageModel['doStream']>>['stream']} Parts
 * @typedef {Parts extends ReadableStream<infer Each> ? Each : never} Part
 */

/**
 * @param {number} turns
 * @param {'native' | 'text'} how the call is made: by function calling, or written in a protocol's text
 * @returns {LanguageModel & { asked: number, last: Request['prompt'] }}
 */
export function scriptedLanguageModel(turns, how) {
  const model = {
    specificationVersion: /** @type {const} */ ('v3'),
    provider: 'script',
    modelId: 'script hermes',
    supportedUrls: {},
    asked: 0,
    /** @type {Request['prompt']} */
    last: [],
    async doGenerate() {
      throw new Error('It only streams.')
    },
    /** @param {Request} request */
    async doStream({ prompt }) {
      const turn = model.asked++
      model.last = prompt
      const parts = turn === turns ? answer() : how === 'native' ? called(turn) : written(turn)
      return {
        stream: new ReadableStream({
          pull(controller) {
            const { done, value } = parts.next()
            if (done) controller.close()
            else controller.enqueue(value)
          },
        }),
      }
    },
  }
  return model
}

/** @param {number} turn */
function argumentsOf(turn) {
  return `{"city": "Place number ${turn}", "day": ${turn}}`
}

/**
 * @param {number} turn
 * @returns {Generator<Part>}
 */
function* called(turn) {
  const id = `call-${turn}`
  const input = argumentsOf(turn)
  yield { type: 'stream-start', warnings: [] }
  yield { type: 'tool-input-start', id, toolName: 'weather' }
  for (const delta of pieces(input)) yield { type: 'tool-input-delta', id, delta }
  yield { type: 'tool-input-end', id }
  yield { type: 'tool-call', toolCallId: id, toolName: 'weather', input }
  yield finish('tool-calls')
}

/**
 * @param {number} turn
 * @returns {Generator<Part>}
 */
function* written(turn) {
  const call = `{"name": "weather", "arguments": ${argumentsOf(turn)}}`
  yield* said(`<tool_call>\n${call}\n</tool_call>`)
}

function answer() {
  return said('That was all.')
}

/**
 * @param {string} text
 * @returns {Generator<Part>}
 */
function* said(text) {
  yield { type: 'stream-start', warnings: [] }
  yield { type: 'text-start', id: 'text' }
  for (const delta of pieces(text)) yield { type: 'text-delta', id: 'text', delta }
  yield { type: 'text-end', id: 'text' }
  yield finish('stop')
}

/** @param {string} text */
function* pieces(text) {
  for (let at = 0; at < text.length; at += 12) yield text.slice(at, at + 12)
}

/**
 * @param {'stop' | 'tool-calls'} unified
 * @returns {Part}
 */
function finish(unified) {
  const none = { noCache: undefined, cacheRead: undefined, cacheWrite: undefined }
  return {
    type: 'finish',
    finishReason: { unified, raw: undefined },
    usage: {
      inputTokens: { total: 100, ...none },
      outputTokens: { total: 20, text: 20, reasoning: undefined },
    },
  }
}
