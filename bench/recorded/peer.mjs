import { Worker } from 'node:worker_threads'

/** @typedef {import('./judge.mjs').Reading} Reading */
/** @typedef {import('./judge.mjs').Readings} Readings */
/** @typedef {import('./vectors.mjs').Reply} Reply */
/** @typedef {import('./vectors.mjs').Tool} Tool */

/** All protocols of the peer: `uiTarsXmlProtocol` and `Qwen3CoderToolParser` are `qwen3CoderProtocol`. */
export const PEER_PROTOCOLS = /** @type {const} */ ([
  'hermes',
  'morph-xml',
  'qwen3-coder',
  'yaml-xml',
])

/** The memory limit, in MB. */
export const MAX_MEMORY = 1024

/**
 * @typedef {typeof PEER_PROTOCOLS[number]} PeerProtocol
 *
 * @typedef {object} Request
 * @property {PeerProtocol} protocol
 * @property {Tool[]} tools
 * @property {string} text
 * @property {'whole' | 'characters'} delivery
 * @property {'stop' | 'length'} finish
 */

/**
 * Starts the peer in a thread. A reading that exceeds its limit of time or memory is aborted.
 *
 * @param {object} options
 * @param {number} options.limit in ms
 * @param {(what: string) => void} options.onGivenUp called with the reading and the reason
 */
export function startPeer({ limit, onGivenUp }) {
  let worker = start()

  return { read, stop: () => worker.terminate() }

  /**
   * @param {Reply} reply
   * @param {PeerProtocol} protocol
   * @returns {Promise<Readings[]>} one for each list of tools that it may be given
   */
  async function read({ id, text, finish = 'stop', ...reply }, protocol) {
    const found = []
    for (const tools of toolsFor(reply)) {
      const ask = async (/** @type {Request['delivery']} */ delivery) => {
        const { reading, problem } = await send({ protocol, tools, text, delivery, finish })
        if (problem) onGivenUp(`${id}, ${protocol}, ${delivery}: ${problem}`)
        return reading
      }
      found.push({ whole: await ask('whole'), characters: await ask('characters') })
    }
    return found
  }

  /**
   * @param {Request} request
   * @returns {Promise<{ reading?: Reading, problem?: string }>}
   */
  async function send(request) {
    const answer = await new Promise((resolve) => {
      const timer = setTimeout(() => resolve({ problem: `over ${limit / 1000} s` }), limit)
      worker.removeAllListeners()
      worker.once('message', (reading) => settle({ reading }))
      worker.once('error', ({ message }) => settle({ problem: message }))
      worker.postMessage(request)

      /** @param {object} value */
      function settle(value) {
        clearTimeout(timer)
        resolve(value)
      }
    })
    if (answer.problem) {
      await worker.terminate()
      worker = start()
    }
    return answer
  }
}

function start() {
  return new Worker(new URL('peer-worker.mjs', import.meta.url), {
    // The peer's messages about unreadable replies are hidden.
    stdout: true,
    stderr: true,
    resourceLimits: { maxOldGenerationSizeMb: MAX_MEMORY },
  })
}

/**
 * The peer requires the tools. A reply recorded without tools is read without any and then with the
 * expected names, and the better reading counts.
 *
 * @param {Pick<Reply, 'tools' | 'expected'>} reply
 * @returns {Tool[][]}
 */
function toolsFor({ tools, expected }) {
  if (tools) return [tools]
  const names = new Set(expected.calls.flatMap(({ name }) => name ?? []))
  return names.size > 0 ? [[], [...names].map((name) => ({ name }))] : [[]]
}
