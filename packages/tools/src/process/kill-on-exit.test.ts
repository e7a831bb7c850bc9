import { expect, test } from 'vitest'
import { machine } from '../../test/machine.ts'
import { runExitHandlers } from './kill-on-exit.ts'

test('a running command is killed when the process exits', async () => {
  const { host } = await machine()
  const running = host.processes.run('trap "" TERM; echo ready; sleep 300 & wait', {
    timeout: 60_000,
    onOutput: runExitHandlers,
  })
  expect(await running).toMatchObject({ signal: 'SIGKILL', exitCode: 137 })
})
