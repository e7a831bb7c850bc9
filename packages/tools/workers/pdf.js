// A worker thread that extracts the text of some pages of a PDF. It is plain JavaScript, so that it runs both from source
// and when built. The file is untrusted: the thread must not reach the network or exceed its memory limit.
import { parentPort, workerData } from 'node:worker_threads'

/** @type {{ bytes: Uint8Array, first: number, last: number, maxCharacters: number, memory: number }} */
const { bytes, first, last, maxCharacters, memory } = workerData

/** Decompressed data is outside the heap, so the thread's heap limit does not cover it. In bytes. */
const maxMemory = memory * 2 ** 20
let isFull = false

/** @param {number} size */
function mustFit(size) {
  isFull ||= process.memoryUsage().arrayBuffers + size > maxMemory
  if (isFull) throw new RangeError('The decompressed file exceeds the memory limit.')
}

for (const name of ['fetch', 'XMLHttpRequest', 'WebSocket'])
  Reflect.deleteProperty(globalThis, name)
globalThis.Uint8Array = new Proxy(Uint8Array, {
  construct(target, args, self) {
    if (args[0] > 2 ** 20) mustFit(args[0])
    return Reflect.construct(target, args, self)
  },
})
globalThis.DecompressionStream = new Proxy(DecompressionStream, {
  construct(target, args) {
    const { readable, writable } = Reflect.construct(target, args)
    const watched = new TransformStream({
      transform(/** @type {Uint8Array} */ piece, controller) {
        mustFit(piece.length)
        controller.enqueue(piece)
      },
    })
    return { writable, readable: readable.pipeThrough(watched) }
  },
})

const { getDocumentProxy } = await import('unpdf')
const answer = await read().catch((/** @type {Error} */ error) => ({ problem: error.name }))
parentPort?.postMessage(isFull ? { problem: 'TooLarge' } : answer)

async function read() {
  const pdf = await getDocumentProxy(bytes, { verbosity: 0, stopAtErrors: false })
  const total = pdf.numPages
  const pages = []
  let length = 0
  for (let number = first; number <= Math.min(last, total) && length <= maxCharacters; number++) {
    const text = await pageText(pdf, number).catch(() => undefined)
    pages.push(text)
    length += text?.length ?? 0
  }
  return { total, pages }
}

/**
 * @param {Awaited<ReturnType<typeof getDocumentProxy>>} pdf
 * @param {number} number
 */
async function pageText(pdf, number) {
  const page = await pdf.getPage(number)
  let text = ''
  // Streamed, so that only the beginning of an endless page is read.
  const reader = page.streamTextContent().getReader()
  while (text.length <= maxCharacters) {
    const { done, value } = await reader.read()
    if (done) break
    for (const item of value.items)
      if ('str' in item) text += item.hasEOL ? `${item.str}\n` : item.str
  }
  page.cleanup()
  return text.trimEnd()
}
