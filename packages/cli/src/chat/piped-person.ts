import { createInterface } from 'node:readline'
import { Transform, type TransformCallback } from 'node:stream'
import { PROMPT_LIMIT } from '../input/source.ts'
import type { Terminal } from '../terminal.ts'
import type { Person } from './person.ts'

/** Prompts that are piped in, one per line; a backslash at the end continues on the next line. No one can be asked. */
export function pipedPerson(
  { input, errors }: Terminal,
  { signal }: { signal: AbortSignal },
): Person {
  const limited = new LineLimit()
  const lines = createInterface({ input: input.pipe(limited), crlfDelay: Infinity })
  const next = lines[Symbol.asyncIterator]()
  return {
    suggest() {},
    async next() {
      let text = ''
      while (!signal.aborted) {
        const { value, done } = await next.next()
        if (limited.isExceeded || text.length > PROMPT_LIMIT.maxLength) throw PROMPT_LIMIT.tooLong()
        if (done) return text === '' ? undefined : text
        text += value
        if (text.endsWith('\\')) text = `${text.slice(0, -1)}\n`
        else if (text.trim() !== '') return text
        else text = ''
      }
      return undefined
    },
    keyboard: undefined,
    async during(work) {
      const value = await work(signal)
      return { value, leaves: signal.aborted }
    },
    show: (text) => void errors.write(text),
    close: () => lines.close(),
  }
}

/** Passes lines on until one is too long, which readline would hold whole in memory. */
class LineLimit extends Transform {
  isExceeded = false
  #length = 0
  #isOver = false

  override _transform(chunk: Buffer, _: unknown, done: TransformCallback): void {
    for (let from = 0, to = 0; to >= 0 && !this.isExceeded; from = to + 1) {
      to = chunk.indexOf(NEW_LINE, from)
      this.#length += (to < 0 ? chunk.length : to) - from
      this.isExceeded = this.#length > PROMPT_LIMIT.maxLength
      if (to >= 0) this.#length = 0
    }
    // Null is the end. What comes after it is not read.
    if (this.#isOver) return done()
    this.#isOver = this.isExceeded
    done(null, this.isExceeded ? null : chunk)
  }
}

const NEW_LINE = 10
