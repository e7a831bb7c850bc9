import { randomUUID } from 'node:crypto'
import { openJournal, userDirectories } from '@toolglot/workspace'
import { postgresJournal } from '@toolglot/postgres'
import { describe, expect, onTestFinished, test } from 'vitest'
import { execute, postgresUrl } from '../../../postgres/test/database.ts'
import { startUpstream } from '../../../server/test/upstream.ts'
import { folderOf } from '../../../../tests/helpers/folder.ts'
import { spawned } from '../../test/spawned.ts'

describe('toolglot journal', () => {
  test('copy: copies finished runs once, with their names, and moves unfinished ones on request', async () => {
    const database = `test_${randomUUID().replaceAll('-', '').slice(0, 16)}`
    await execute(`CREATE DATABASE ${database}`)
    const url = new URL(postgresUrl)
    url.pathname = `/${database}`
    const [home, folder] = [folderOf(), folderOf()]
    const env = { HOME: home, NO_COLOR: '1', TOOLGLOT_JOURNAL: url.href }
    const command = async (
      ...words: readonly string[]
    ): Promise<{ text: string; errors: string }> => {
      const started = spawned(words, { env })
      expect(await started.ended(), started.errors()).toBe(0)
      return { text: started.output(), errors: started.errors() }
    }
    const model = await startUpstream({ reply: () => 'It is done.' })
    onTestFinished(() => model.close())
    const ask = ['run', '--cwd', folder, '-m', `${model.url}#qwen3:8b`]
    await command(...ask, 'The first question')
    await command(...ask, 'The second question')
    const own = openJournal(userDirectories(env))
    onTestFinished(() => own.close())
    const [second, first] = await own.runs()
    await own.rename(first!.run, 'my first')
    const log = await own.open('unfinished')
    await log.append({ key: 'run', kind: 'value', value: { messages: [] } })
    await log.close()

    expect((await command('journal', 'migrate')).text).toContain('was created')
    const counts = (text: string): Record<string, number> =>
      Object.fromEntries(
        text.split('\n').flatMap((line) => {
          const [name, count] = line.split(/ +/)
          return name ? [[name, Number(count)]] : []
        }),
      )
    const copied = await command('journal', 'copy')
    expect(counts(copied.text)).toEqual({ copied: 2, moved: 0, present: 0, left: 1 })
    expect(copied.errors).toContain('unfinished was left: it has not ended')
    const again = await command('journal', 'copy')
    expect(counts(again.text)).toEqual({ copied: 0, moved: 0, present: 2, left: 1 })
    const moved = await command('journal', 'copy', '--unfinished')
    expect(counts(moved.text)).toEqual({ copied: 0, moved: 1, present: 2, left: 0 })

    const shared = postgresJournal({ url: url.href })
    onTestFinished(() => shared.close())
    const runs = await shared.runs()
    expect(runs.map(({ run, name, state }) => [run, name, state])).toEqual([
      ['unfinished', undefined, 'interrupted'],
      [second!.run, undefined, 'finished'],
      [first!.run, 'my first', 'finished'],
    ])
    expect(await shared.read(first!.run)).toEqual(await own.read(first!.run))
    expect((await own.runs()).map(({ run }) => run)).toEqual([second!.run, first!.run])
    // Copied runs are not claimed.
    expect(await shared.claim({ limit: 10, host: 'any' })).toEqual([])
  })
})
