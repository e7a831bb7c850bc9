// A process with a single model: if llama.cpp crashes or hangs, for example because of a damaged
// file, only this process is affected. Plain JavaScript, so that it runs both from sources and from
// the build. src/node/gguf/llama/llama-process.ts sends it requests.
import { availableParallelism, loadavg } from 'node:os'

/** @typedef {import('../src/node/gguf/llama/llama-process.ts').LoadRequest} LoadRequest */
/** @typedef {import('../src/node/gguf/llama/llama-process.ts').StartRequest} StartRequest */
/** @typedef {import('../src/node/gguf/llama/llama-process.ts').TokenContext} TokenContext */
/** @typedef {import('../src/node/gguf/llama/library.ts').LlamaLibrary} LlamaLibrary */
/** @typedef {import('../src/node/gguf/llama/library.ts').Llama} Llama */
/** @typedef {import('../src/node/gguf/llama/library.ts').LlamaModel} LlamaModel */
/** @typedef {import('../src/node/gguf/llama/library.ts').LlamaSequence} LlamaSequence */

/**
 * The messages reported by llama.cpp. The first problem is the cause of the rest.
 *
 * @type {string[]}
 */
const problems = []

/** @type {{ library: LlamaLibrary, llama: Llama, model: LlamaModel, sequence: LlamaSequence }} */
let loaded

/**
 * The reply that is being written.
 *
 * @type {AsyncGenerator<number, void, void> | undefined}
 */
let written

/** @type {Readonly<Record<string, (options: never) => unknown>>} */
const operations = {
  /** @param {LoadRequest} options */
  async load({ library: url, path, gpu, contextTokens, threads, batch }) {
    const library = /** @type {LlamaLibrary} */ (await import(url))
    const llama = await start(library, gpu)
    let shown = -1
    const model = await llama.loadModel({
      modelPath: path,
      onLoadProgress(part) {
        const done = Math.floor(part * 100)
        if (done !== shown) process.send?.({ progress: done })
        shown = done
      },
    })
    const context = await model.createContext({
      contextSize: { max: Math.max(1, Math.min(contextTokens, model.trainContextSize)) },
      threads: threads ?? idleCores(llama.cpuMathCores),
      batchSize: batch,
    })
    loaded = { library, llama, model, sequence: context.getSequence() }
    return { contextSize: context.contextSize }
  },

  /**
   * Marks in a prompt become single tokens. The first token of a prompt occurs only once, even if
   * the prompt already contains it.
   *
   * @param {{ text: string, isPrompt: boolean }} options
   */
  tokenize({ text, isPrompt }) {
    const { model } = loaded
    const tokens = model.tokenize(text, isPrompt)
    const { bos, shouldPrependBosToken } = model.tokens
    if (isPrompt && shouldPrependBosToken && bos !== null && tokens[0] !== bos) tokens.unshift(bos)
    return tokens
  },

  /** @param {{ tokens: number[] }} options */
  async adapt({ tokens }) {
    await loaded.sequence.adaptStateToTokens(tokens, false)
    return loaded.sequence.nextTokenIndex
  },

  /** @param {{ tokens: number[] }} options */
  read: ({ tokens }) => loaded.sequence.evaluateWithoutGeneratingNewTokens(tokens),

  /** @param {StartRequest} options */
  async start({ token, sampling, grammar }) {
    const { library, model, sequence } = loaded
    const followed = await readGrammar(grammar)
    written = sequence.evaluate([token], {
      ...sampling,
      ...(followed && {
        grammarEvaluationState: new library.LlamaGrammarEvaluationState({
          model,
          grammar: followed,
        }),
      }),
      yieldEogToken: true,
    })
  },

  /** @param {TokenContext} context */
  async next({ pending, before }) {
    const { model } = loaded
    const { value: token, done } = (await written?.next()) ?? { done: true, value: undefined }
    if (done || token === undefined) return undefined
    const isEnd = model.isEogToken(token)
    return { token, isEnd, text: isEnd ? '' : model.detokenize([...pending, token], true, before) }
  },

  async stop() {
    await written?.return()
    written = undefined
  },
}

process.on('message', (message) => {
  const { id, operation, options } =
    /** @type {{ id: number, operation: string, options: never }} */ (message)
  void answer(id, operation, options)
})
process.on('disconnect', () => process.exit())

/**
 * @param {number} id
 * @param {string} operation
 * @param {never} options
 */
async function answer(id, operation, options) {
  problems.length = 0
  try {
    const value = await operations[operation]?.(options)
    process.send?.({ id, value })
  } catch (error) {
    const { name, message } = error instanceof Error ? error : new Error(String(error))
    // The library's classes identify errors, because most of its errors do not set a name.
    const kind = error instanceof Error ? error.constructor.name : name
    process.send?.({ id, failure: { kind, message: problems[0] ?? message } })
  }
}

/**
 * Falls back to the processor if the driver of a graphics card fails.
 *
 * @param {LlamaLibrary} library
 * @param {'auto' | false} gpu
 * @returns {Promise<Llama>}
 */
async function start(library, gpu) {
  try {
    return await library.getLlama({
      gpu,
      build: 'never',
      skipDownload: true,
      progressLogs: false,
      maxThreads: 0, // Use the number of threads that a context requests.
      logLevel: 'error',
      logger(_, message) {
        if (problems.length < 20) problems.push(message)
      },
    })
  } catch (error) {
    if (gpu !== false) return start(library, false)
    throw new NoBuild(error instanceof Error ? error.message : String(error))
  }
}

class NoBuild extends Error {}

/**
 * Threads wait for each other, so a thread that shares a core with other programs slows down all of
 * them.
 *
 * @param {number} all
 */
function idleCores(all) {
  const cores = Math.max(1, Math.min(all, availableParallelism()))
  const idle = cores - Math.round(loadavg()[0] ?? 0)
  return Math.max(Math.ceil(cores / 2), idle)
}

/** @param {StartRequest['grammar']} grammar */
async function readGrammar(grammar) {
  const { llama } = loaded
  try {
    if (grammar === undefined) return undefined
    if ('text' in grammar) return await llama.createGrammar({ grammar: grammar.text })
    const { schema } = grammar
    return await (schema ? llama.createGrammarForJsonSchema(schema) : llama.getGrammarFor('json'))
  } catch (error) {
    throw new BadGrammar(error instanceof Error ? error.message : String(error))
  }
}

class BadGrammar extends Error {}
