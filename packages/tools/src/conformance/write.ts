import { deepEqual, equal, match } from 'node:assert/strict'
import { mkdir, readdir, stat, chmod } from 'node:fs/promises'
import { type Check, check } from './check.ts'

/** Checks of Write. */
export const write: readonly Check[] = [
  check('T1.2', 'Write: a new file, and the folders it needs', async ({ path, text, result }) => {
    const content = 'package main\n\nfunc main() {} // xin chào\n'
    const file_path = path('cmd/server/main.go')
    const { success, bytes_written } = await result('Write', { file_path, content })
    equal(success, true)
    equal(bytes_written, Buffer.byteLength(content))
    equal(await text('cmd/server/main.go'), content)
  }),

  check('T1.2', 'Write: replaces a file that was read', async ({ put, path, text, result }) => {
    await put('a.sh', 'one\n')
    await chmod(path('a.sh'), 0o750)
    await result('Read', { file_path: 'a.sh' })
    const { success } = await result('Write', { file_path: 'a.sh', content: 'two\n' })
    equal(success, true)
    equal(await text('a.sh'), 'two\n')
    equal((await stat(path('a.sh'))).mode & 0o777, 0o750)
    deepEqual(await readdir(path('.')), ['a.sh'])
  }),

  check(
    'T1.2',
    'Write: does not replace a file that someone else changed since it was read',
    async ({ put, text, result, failure }) => {
      await put('a.txt', 'one\n')
      await result('Read', { file_path: 'a.txt' })
      await put('a.txt', 'changed by someone else\n')
      const { error_type, message } = await failure('Write', { file_path: 'a.txt', content: 'x' })
      equal(error_type, 'invalid_input')
      match(message, /changed since it was read/)
      equal(await text('a.txt'), 'changed by someone else\n')
    },
  ),

  check('T1.2', 'Write: does not replace a folder', async ({ path, failure }) => {
    await mkdir(path('folder'))
    const { error_type } = await failure('Write', { file_path: 'folder', content: 'x' })
    equal(error_type, 'invalid_input')
    equal((await stat(path('folder'))).isDirectory(), true)
  }),
]
