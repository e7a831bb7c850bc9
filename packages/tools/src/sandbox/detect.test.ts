import { expect, test } from 'vitest'
import { machine } from '../testing/machine.ts'

const nowhere = { PATH: '/nowhere' }

test('where nothing is installed, it is said, and commands run without', async () => {
  const { host } = await machine({ environment: nowhere, sandbox: {} })
  const report = await host.processes.sandbox()
  expect(report.missing[0]).toEqual({ name: 'bubblewrap', reason: 'it is not installed' })
  if (report.name === 'none') {
    expect(report.about).toContain('Nothing holds commands back')
    expect(await host.processes.run('echo x', { timeout: 5000 })).toMatchObject({ sandbox: 'none' })
  }
})

test('where the one that was asked for does not run, no command does', async () => {
  const { host } = await machine({ environment: nowhere, sandbox: { use: 'bubblewrap' } })
  await expect(host.processes.run('true', { timeout: 5000 })).rejects.toMatchObject({
    errorType: 'execution_failed',
    message: expect.stringContaining('bubblewrap: it is not installed'),
  })
})

test('none is none', async () => {
  const { host } = await machine({ sandbox: { use: 'none' } })
  expect(await host.processes.sandbox()).toMatchObject({ name: 'none', missing: [] })
})
