import { type Program, RUN } from './program.ts'

/** Prunes other runs and records more, then is killed. */
const program: Program = async ({ journal }) => {
  const log = await journal.open(RUN)
  await log.append({ key: 'before', kind: 'value', value: 1 })
  for (const run of ['one', 'two', 'three']) {
    const other = await journal.open(run)
    await other.append({ key: 'k', kind: 'value', value: 'x'.repeat(500_000) })
    await other.close()
  }
  await journal.prune({ runs: 0 })
  await log.append({ key: 'after', kind: 'value', value: 2 })
  process.kill(process.pid, 'SIGKILL')
}

export default program
