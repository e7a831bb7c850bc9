import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, describe, expect, test } from 'vitest'
import { isLong, runs } from '../helpers/size.ts'
import { fileSystem } from '../../packages/permissions/test/judge-shell.ts'
import { analyze } from '../../packages/permissions/src/shell/analyze.ts'
import { bothWays } from './both-ways.mjs'
import { script } from './both-ways-grammar.ts'
import { Shell } from './both-ways-shell.ts'
import { intended, texts, unprintable } from './both-ways-texts.mjs'
import { lacks } from '../helpers/abilities.ts'

const missing = (await lacks('bubblewrap')) || (await lacks('strace'))
const LONG = 600_000
/** Each command takes a tenth of a second: `npm run test:long` runs all of them. */
const chosen = isLong ? texts : texts.filter((_, at) => at % 12 === 0)

async function verdicts(list: readonly string[]): Promise<Record<string, unknown[]>> {
  const found: Record<string, unknown[]> = {}
  for await (const { verdict, ...each } of bothWays(list))
    (found[verdict] ??= []).push(verdict === 'same' ? each.text : each)
  return found
}

describe.skipIf(missing)('printed texts', () => {
  test('have the same meaning as the originals', { timeout: LONG }, async () => {
    const { same, ...others } = await verdicts(chosen)
    expect(others).toEqual({})
    expect(same).toHaveLength(chosen.length)
  })

  test('intentionally do not expand text that is split', { timeout: LONG }, async () => {
    const { different, ...others } = await verdicts(intended)
    expect(others).toEqual({})
    expect(different).toHaveLength(intended.length)
  })

  test('do not exist for unsupported texts', { timeout: LONG }, async () => {
    const found = await verdicts(Object.keys(unprintable))
    expect(found).toEqual({
      'not printable': Object.entries(unprintable).map(([text, why]) => ({ text, why })),
    })
  })
})

describe('random scripts', () => {
  const folder = mkdtempSync(join(tmpdir(), 'both-ways-'))
  const shell = new Shell(folder)
  afterAll(() => {
    shell.stop()
    rmSync(folder, { recursive: true, force: true })
  })

  test('have the same output and end as their printed texts', { timeout: LONG }, async () => {
    const { numRuns } = runs(3000)
    let printed = 0
    await fc.assert(
      fc.asyncProperty(script, async (text) => {
        const { runs: other } = analyze(text, { ...fileSystem, home: folder })
        if (other === undefined) return
        printed++
        // `set -f` would only prevent the expansion of file names, and there are no files.
        expect([text, other, await shell.run(other)]).toEqual([text, other, await shell.run(text)])
      }),
      { numRuns },
    )
    expect(printed).toBeGreaterThan(numRuns / 2)
  })
})
