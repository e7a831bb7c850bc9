import { expect, test } from 'vitest'
import type { RunEvent } from '@toolglot/agent'
import { household } from '../../test/household.ts'

test('shows a run, for people and for programs', async () => {
  const { start } = household({ 'package.json': '{"version": "1.0.7"}' })
  const live = await start(['run', '--json', '-m', 'script', 'What version is it?'])
  const { output } = await start(['replay', 'last'])
  expect(output).toMatch(
    /^› What version is it\?\n\nturn 0\nI'll look in package\.json\.\n\n→ Read package\.json\n[^]*\n\nturn 1\nThe version in package\.json is 1\.0\.7\.\n$/,
  )
  const typesIn = (text: string): string[] => {
    const types = text
      .trimEnd()
      .split('\n')
      .map((line) => (JSON.parse(line) as RunEvent).type)
    // A replay joins deltas into one event.
    return types.filter((type, at) => type !== 'call-delta' && type !== types[at - 1])
  }
  expect(typesIn((await start(['replay', 'last', '--json'])).output)).toEqual(typesIn(live.output))
  expect(await start(['replay', 'nothing'])).toMatchObject({ code: 1 })
})

test('redacts likely secrets, except with --raw', async () => {
  const { start } = household()
  const secret = `sk-${'aB3'.repeat(10)}`
  await start(['run', '-m', 'script', `Is ${secret} a key?`])
  for (const words of [[], ['--json']]) {
    expect((await start(['replay', 'last', ...words])).output).not.toContain(secret)
    expect((await start(['replay', 'last', '--raw', ...words])).output).toContain(secret)
  }
})
