import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { folderOf } from '../../../../tests/helpers/folder.ts'
import { readSettings } from '../settings/read-settings.ts'
import { createDigest } from './digest.ts'

test('code is read once, so later changes are in none of the digests', () => {
  const folder = folderOf({ 'a.mjs': 'import "./b.mjs"', 'b.mjs': '1' })
  const file = join(folder, '.toolglot/settings.json')
  const files = [readSettings('{"tools": ["./a.mjs"]}', { file, scope: 'project', root: folder })]
  const [digest, other] = [createDigest(folder), createDigest(folder)]
  const before = digest(files)
  writeFileSync(join(folder, 'b.mjs'), '2')
  expect(digest(files)).toBe(before)
  expect(other(files)).not.toBe(before)
})

test('includes the programs that settings start, and their imports', () => {
  const folder = folderOf({ 'a.mjs': 'import "./b.mjs"', 'b.mjs': '1', 'c.mjs': '1' })
  const file = join(folder, '.toolglot/settings.json')
  const text = '{"mcpServers": {"x": {"command": "node", "args": ["a.mjs", "."]}}}'
  const files = [readSettings(text, { file, scope: 'project', root: folder })]
  const digest = (): string => createDigest(folder)(files)
  const before = digest()
  writeFileSync(join(folder, 'c.mjs'), '2')
  expect(digest()).toBe(before)
  for (const name of ['a.mjs', 'b.mjs']) {
    const last = digest()
    writeFileSync(join(folder, name), 'import "./b.mjs" // 2')
    expect(digest()).not.toBe(last)
  }
})
