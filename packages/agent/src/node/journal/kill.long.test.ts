import { killSuite, times } from '../../../test/kill/suite.ts'

const KEYS = ['run', 'turn/1', 'turn/1/call/1', 'turn/1/call/2', 'turn/2']
KEYS.push('turn/2/call/1', 'turn/2/call/2', 'turn/2/call/3', 'end/0')

killSuite({
  program: new URL('../../../test/kill/two-turns.ts', import.meta.url),
  points: 40,
  every: 5,
  isInterrupted: ({ value }) => value === 'interrupted',
  problems(records, effects, kills) {
    const problems: string[] = []
    const keys = records.filter(({ kind }) => kind === 'value').map(({ key }) => key)
    if (keys.sort().join() !== [...KEYS].sort().join()) problems.push(`keys ${keys.join()}`)
    let interrupted = 0
    for (const { key, kind, value } of records) {
      if (kind !== 'value' || key === 'run' || key === 'end/0') continue
      const [once, again] = [times(effects, `once ${key}`), times(effects, `again ${key}`)]
      if (value === 'interrupted') interrupted++
      else if (once + again === 0) problems.push(`lost ${key}`)
      if (once > 1) problems.push(`doubled ${key}`)
      if (again > 1 + kills) problems.push(`repeated ${key}`)
    }
    // Up to three steps run in parallel, so a kill can interrupt three.
    if (interrupted > 3 * kills) problems.push(`${interrupted} interrupted by ${kills} kills`)
    return problems
  },
})
