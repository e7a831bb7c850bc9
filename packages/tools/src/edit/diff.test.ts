import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { folderOf } from '../../../../tests/helpers/folder.ts'
import { nodeFileSystem } from '@toolglot/permissions/node'
import { nodeFiles } from '../node/files/files.ts'
import { previewChange } from './diff.ts'

function preview(content: string | Uint8Array, args: object): Promise<string | undefined> {
  const cwd = folderOf()
  writeFileSync(join(cwd, 'a.txt'), content)
  onTestFinished(() => expect(readFileSync(join(cwd, 'a.txt'))).toEqual(Buffer.from(content)))
  const fileSystem = nodeFileSystem({ cwd })
  return previewChange(
    { files: nodeFiles(fileSystem), fileSystem },
    { file_path: 'a.txt', ...args },
  )
}

test('compares new content with the present content', async () => {
  expect(await preview('one\ntwo\n', { content: 'one\nTWO\n' })).toBe(
    '--- a.txt\n+++ a.txt\n@@ -1,2 +1,2 @@\n one\n-two\n+TWO',
  )
})

test('shows a file that does not exist yet', async () => {
  expect(await preview('', { file_path: 'new/b.txt', content: 'x\n' })).toContain('\n+x')
})

test('shows a replacement as Edit would make it', async () => {
  const edit = { old_string: 'two', new_string: '2' }
  expect(await preview('one\r\ntwo\r\n', edit)).toContain('-two\n+2')
  expect(await preview('two two\n', edit)).toBeUndefined()
  expect(await preview('two two\n', { ...edit, replace_all: true })).toContain('+2 2')
  expect(await preview('three\n', edit)).toBeUndefined()
})

test('shows the file that was decided on, even if a relative path leads elsewhere by now', async () => {
  const cwd = folderOf()
  const judged = join(cwd, 'a.txt')
  writeFileSync(judged, 'one\n')
  mkdirSync(join(cwd, 'elsewhere'))
  const fileSystem = nodeFileSystem({ cwd: join(cwd, 'elsewhere') })
  const host = { files: nodeFiles(fileSystem), fileSystem }
  const args = { file_path: 'a.txt', content: 'two\n' }
  expect(await previewChange(host, args, { paths: [judged] })).toContain('-one\n+two')
})

test('returns no preview if the result is unknown', async () => {
  expect(await preview('x', { command: 'rm a.txt' })).toBeUndefined()
  expect(await preview(new Uint8Array([0, 1, 2, 0, 255]), { content: 'x' })).toBeUndefined()
  expect(await preview('x', { file_path: '/dev/zero', content: 'x' })).toBeUndefined()
})
