import { JournalError } from '../../src/journal/journal.ts'
import { type Program, RUN } from './program.ts'

/** Appends records and reports the outcome of each. */
const program: Program = async ({ journal, effect }) => {
  const log = await journal.open(RUN)
  const lines: string[] = []
  for (let at = 0; at < 20; at++) {
    try {
      await log.append({ key: `${at}`, kind: 'value', value: at })
      lines.push(`durable ${at}`)
    } catch (error) {
      lines.push(error instanceof JournalError ? error.problem : 'thrown')
    }
  }
  effect(lines.join('\n'))
}

export default program
