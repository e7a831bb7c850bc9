import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { folderOf } from '../../../agent/test/folder.ts'
import { readSettings } from '../settings/read-settings.ts'
import { createDigest } from './digest.ts'

test('code is read once: what changes meanwhile is in none of the digests', () => {
  const folder = folderOf({ 'a.mjs': 'import "./b.mjs"', 'b.mjs': '1' })
  const file = join(folder, '.toolglot/settings.json')
  const files = [readSettings('{"tools": ["./a.mjs"]}', { file, scope: 'project', root: folder })]
  const [digest, other] = [createDigest(folder), createDigest(folder)]
  const before = digest(files)
  writeFileSync(join(folder, 'b.mjs'), '2')
  expect(digest(files)).toBe(before)
  expect(other(files)).not.toBe(before)
})
