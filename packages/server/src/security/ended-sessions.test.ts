import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { folderOf } from '../../../../tests/helpers/folder.ts'
import { endedSessionsFile } from './ended-sessions.ts'

let folder: string
beforeEach(() => {
  folder = folderOf()
})

const later = Date.now() + 1_000_000

test('what two servers end is kept, until it expires', () => {
  const problems: unknown[] = []
  const file = join(folder, 'ended.json')
  const [one, other] = [file, file].map((each) =>
    endedSessionsFile(each, (error) => problems.push(error)),
  )
  expect(one!.load()).toEqual([])
  one!.save([['a', later]])
  other!.save([
    ['b', later],
    ['expired', Date.now() - 1],
  ])
  expect(one!.load()).toEqual([
    ['a', later],
    ['b', later],
  ])
  expect(problems).toEqual([])
})

test.each(['{', 'null', '[]', '{"a": "b"}'])('a file that says %j keeps nothing', (text) => {
  const file = join(folder, 'ended.json')
  writeFileSync(file, text)
  const kept = endedSessionsFile(file)
  expect(kept.load()).toEqual([])
  kept.save([['a', later]])
  expect(kept.load()).toEqual([['a', later]])
})

test('a folder that cannot be written to is reported, and nothing throws', () => {
  const problems: unknown[] = []
  const file = join(folder, 'file')
  writeFileSync(file, '')
  const kept = endedSessionsFile(join(file, 'ended.json'), (error) => problems.push(error))
  kept.save([['a', later]])
  expect(kept.load()).toEqual([])
  expect(problems.length).toBeGreaterThan(0)
})
