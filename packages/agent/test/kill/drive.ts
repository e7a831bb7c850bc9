import { closeSync, fsyncSync, openSync, writeSync } from 'node:fs'
import type { Journal, RunLog } from '../../src/journal/journal.ts'
import { sqliteJournal } from '../../src/node/journal/sqlite-journal.ts'
import type { Program } from './program.ts'

/**
 * Runs a program in this process, using the journal FILE and writing effects to EFFECTS. It is
 * killed at point KILL, counting from 1.
 */
export async function drive(program: Program): Promise<void> {
  const { FILE = '', EFFECTS = '', KILL = '0' } = process.env
  const effects = openSync(EFFECTS, 'a')
  let points = 0
  const point = (): void => {
    points++
    if (points === Number(KILL)) process.kill(process.pid, 'SIGKILL')
  }
  const journal = killedIn(sqliteJournal({ file: FILE }), point)
  process.stdout.write('ready\n')
  await program({
    journal,
    effect(line) {
      point()
      writeSync(effects, `${line}\n`)
      fsyncSync(effects)
      point()
    },
  })
  await journal.close()
  closeSync(effects)
  process.stdout.write(`${points} points\n`)
}

/** A journal with a kill point before and after each record. */
function killedIn(journal: Journal, point: () => void): Journal {
  async function between<Value>(work: () => Promise<Value>): Promise<Value> {
    point()
    const value = await work()
    point()
    return value
  }
  return {
    ...journal,
    async open(run, options) {
      const log = await between(() => journal.open(run, options))
      const killed: RunLog = {
        ...log,
        append: (record, options) => between(() => log.append(record, options)),
        appendAll: (records) => between(() => log.appendAll(records)),
        close: () => between(() => log.close()),
      }
      return killed
    },
    answer: (run, key, value) => between(() => journal.answer(run, key, value)),
    send: (run, message) => between(() => journal.send(run, message)),
    stop: (run) => between(() => journal.stop(run)),
    close: () => between(() => journal.close()),
  }
}
