import { expect, test } from 'vitest'
import { fakeClient } from '../../test/fake-client.ts'
import { watchersOf } from './watchers.ts'

test('keeps all runs that are shown, and drops the rest', () => {
  const { client } = fakeClient({ run: 'run-1' })
  const watchers = watchersOf(client)
  const ids = Array.from({ length: 12 }, (_, index) => `run-${index}`)
  const stops = ids.map((id) => watchers.run(id).subscribe(() => {}))
  const shown = ids.map((id) => watchers.run(id))
  expect(new Set(shown).size).toBe(ids.length)
  for (const [at, id] of ids.entries()) expect(watchers.run(id)).toBe(shown[at])
  for (const stop of stops) stop()
  const first = watchers.run('run-0')
  for (let count = 0; count < 12; count += 1) watchers.run(`other-${count}`)
  expect(watchers.run('run-0')).not.toBe(first)
})
