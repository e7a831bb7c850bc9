import { expect, test } from 'vitest'
import { household } from '../../../test/household.ts'

test('counts what happened, for people and for programs', async () => {
  const { start } = household({ 'package.json': '{"version": "1.0.7"}' })
  expect((await start(['runs', 'stats'])).output).toBe('There are no runs to count.\n')
  await start(['run', '-m', 'script', 'What version is it?'])
  expect((await start(['runs', 'stats', '--days', '2'])).output).toMatch(
    /^1 run: 1 answer\n\ntool +calls +median +longest\nRead +1 .*\n\nmodel +turns .*\nscript +\d .*\n\nprotocol +turns +calls\n\S+ +\d +1\n$/,
  )
  const { output } = await start(['runs', 'stats', '--json'])
  expect(JSON.parse(output)).toMatchObject({
    runs: 1,
    ends: [{ name: 'answer', count: 1 }],
    tools: [{ name: 'Read', calls: 1, succeeded: 1 }],
    models: [{ name: 'script' }],
  })
  expect(await start(['runs', 'stats', '--days', '0'])).toMatchObject({ code: 2 })
})
