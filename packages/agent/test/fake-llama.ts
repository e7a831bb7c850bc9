import type { LlamaProcess } from '../src/node/gguf/llama/llama-process.ts'

/** Fakes for the processes that load models. */
export interface FakeLlama {
  readonly start: () => LlamaProcess
  /** A log with entries such as `load a.gguf` and `end a.gguf`. */
  readonly log: string[]
  /** Called before each step of reading and writing. */
  step: () => Promise<void>
  /** Called before a model is loaded. */
  load: () => Promise<void>
}

/** Creates models that always write the same reply. Their tokens are UTF-16 units. */
export function fakeLlama(reply = 'Hello!'): FakeLlama {
  const fake: FakeLlama = { start, log: [], step: async () => {}, load: async () => {} }
  return fake

  function start(): LlamaProcess {
    let hasEnded = false
    let path = ''
    let state: number[] = []
    let unwritten: number[] = []
    return {
      get hasEnded() {
        return hasEnded
      },
      async load(request, onProgress) {
        ;({ path } = request)
        fake.log.push(`load ${path}`)
        await fake.load()
        onProgress(50)
        onProgress(100)
        return { contextSize: request.contextTokens }
      },
      tokenize: async (text) => unitsOf(text),
      async adapt(tokens) {
        const different = state.findIndex((token, index) => token !== tokens[index])
        if (different >= 0) state = state.slice(0, different)
        return state.length
      },
      async read(tokens) {
        await fake.step()
        state.push(...tokens)
      },
      async start({ token }) {
        state.push(token)
        unwritten = [...unitsOf(reply), END]
      },
      async next({ pending }) {
        await fake.step()
        const token = unwritten.shift()
        if (token === undefined) return undefined
        state.push(token)
        const isEnd = token === END
        return { token, isEnd, text: isEnd ? '' : String.fromCharCode(...pending, token) }
      },
      stop: async () => {},
      end() {
        if (!hasEnded) fake.log.push(`end ${path}`)
        hasEnded = true
      },
    }
  }
}

function unitsOf(text: string): number[] {
  return text.split('').map((unit) => unit.charCodeAt(0))
}

const END = 0
