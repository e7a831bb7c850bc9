import type { Program } from './program.ts'

/** Records a run with a unique id. */
const program: Program = async ({ journal, effect }) => {
  const log = await journal.open(`run-${process.pid}`)
  await log.append({ key: 'run', kind: 'value', value: 1 })
  await log.close()
  effect(`recorded by ${process.pid}`)
}

export default program
