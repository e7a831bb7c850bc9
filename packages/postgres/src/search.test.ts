import fc from 'fast-check'
import { describe, expect, onTestFinished, test } from 'vitest'
import { newSchema, postgresUrl } from '../test/database.ts'
import { postgresJournal } from './postgres-journal.ts'

describe('searching', () => {
  test('finds only runs that contain the text, in whole words or not', async () => {
    const journal = postgresJournal({ url: postgresUrl, schema: await newSchema() })
    onTestFinished(() => journal.close())
    const text = fc.string({
      unit: fc.constantFrom('a', 'A', '1', 'é', '_', ' ', '.', '%', '\\', '\n'),
      minLength: 1,
      maxLength: 12,
    })
    const names = fc.sample(text, 60)
    for (const [number, name] of names.entries())
      await journal.add({ run: `run-${number}`, name, records: [] })
    const part = fc
      .tuple(fc.constantFrom(...names), fc.nat(11), fc.nat(12))
      .map(([name, from, length]) => name.slice(from, from + length))
      .filter((each) => each !== '')
    await fc.assert(
      fc.asyncProperty(fc.oneof(part, text), async (search) => {
        const expected = names.flatMap((name, number) =>
          `run-${number}\n${name}`.toLowerCase().includes(search.toLowerCase())
            ? [`run-${number}`]
            : [],
        )
        const found = await journal.runs({ search })
        expect(found.map(({ run }) => run).sort()).toEqual(expected.sort())
      }),
      { numRuns: 200 },
    )
  })
})
