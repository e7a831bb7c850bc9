import type { JournalRecord, RunSummary } from '@toolglot/agent/journal'
import { openJournal, userDirectories } from '@toolglot/workspace'
import fc from 'fast-check'
import { expect, onTestFinished, test } from 'vitest'
import { bash, obedient } from '../../test/obedient-model.ts'
import { runClient } from '../../test/run-client.ts'
import { HttpError } from '../security/http-error.ts'
import { findTurn, recordedEvents } from './read-records.ts'
import { createRunOutlines } from './run-outlines.ts'
import { recordedTurn } from './schemas/recorded-turn.ts'

const ODD = [null, 0, -1, '', 'text', true, [], [null], {}, { type: 'text' }, { length: 3 }]

test('reads any records of an imported run, or refuses them as invalid', async () => {
  const records = await recordsOfARun()
  const places = records.flatMap(({ value }, at) => [...placesIn(value, [at])])
  expect([...recordedEvents({ run: 'x', imported: true }, records)].length).toBeGreaterThan(10)
  let refused = 0
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...places), fc.constantFrom(...ODD), async (place, odd) => {
      const changed = structuredClone(records)
      const [at, ...path] = place
      set(changed[at as number]!, ['value', ...path], odd)
      const origin = { run: 'x', imported: true } as RunSummary
      const isRefused = (error: unknown): true => {
        expect(error).toBeInstanceOf(HttpError)
        expect(error).toMatchObject({ code: 'invalid_file' })
        refused++
        return true
      }
      try {
        const turn = findTurn(origin, changed, '0')
        if (typeof turn !== 'number') recordedTurn.parse(turn)
      } catch (error) {
        isRefused(error)
      }
      const outlines = createRunOutlines({ read: async () => changed })
      await outlines.of(origin).catch(isRefused)
    }),
    { numRuns: 300 },
  )
  expect(refused).toBeGreaterThan(10)
})

/** The records of a run that called a tool and asked the user a question. */
async function recordsOfARun(): Promise<readonly JournalRecord[]> {
  const client = await runClient(obedient)
  const { run } = await client.start(bash('echo hello'))
  await client.approveAll(run)
  await client.ended(run)
  const journal = openJournal(userDirectories({ HOME: client.home }))
  onTestFinished(() => journal.close())
  return structuredClone(await journal.read(run))
}

type Path = readonly (string | number)[]

/** Paths to all values in a JSON value, at any depth, except in lists of tools: they are long. */
function* placesIn(value: unknown, path: Path): Generator<Path> {
  yield path
  if (typeof value !== 'object' || value === null) return
  for (const [key, each] of Object.entries(value))
    if (key !== 'tools') yield* placesIn(each, [...path, key])
}

function set(target: object, path: Path, value: unknown): void {
  const [key, ...rest] = path
  const fields = target as Record<string | number, unknown>
  if (rest.length === 0) fields[key!] = value
  else set(fields[key!] as object, rest, value)
}
