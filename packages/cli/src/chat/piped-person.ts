import { createInterface } from 'node:readline'
import type { Terminal } from '../terminal.ts'
import type { Person } from './person.ts'

/** Prompts that are piped in, one per line; a backslash at the end continues on the next line. No one can be asked. */
export function pipedPerson(
  { input, errors }: Terminal,
  { signal }: { signal: AbortSignal },
): Person {
  const lines = createInterface({ input, crlfDelay: Infinity })
  const next = lines[Symbol.asyncIterator]()
  return {
    suggest() {},
    async next() {
      let text = ''
      while (!signal.aborted) {
        const { value, done } = await next.next()
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
