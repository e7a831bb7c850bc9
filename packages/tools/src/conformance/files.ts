import { equal, match, ok, deepEqual } from 'node:assert/strict'
import { mkdir, readdir, stat, chmod } from 'node:fs/promises'
import { type Check, check } from './check.ts'

/** Checks of Read. */
export const read: readonly Check[] = [
  check('T1.1', 'Read: a whole file, with lines numbered from 1', async ({ put, path, result }) => {
    await put('main.go', 'func main() {\n    fmt.Println("Hello")\n}\n')
    const { content, total_lines } = await result('Read', { file_path: path('main.go') })
    equal(content, '     1\tfunc main() {\n     2\t    fmt.Println("Hello")\n     3\t}')
    equal(total_lines, 3)
  }),

  check('T1.1', 'Read: offset and limit', async ({ put, path, result }) => {
    await put('long.txt', Array.from({ length: 30 }, (_, at) => `line ${at + 1}\n`).join(''))
    const args = { file_path: path('long.txt'), offset: 10, limit: 5 }
    const { content, total_lines } = await result('Read', args)
    const lines = [10, 11, 12, 13, 14].map((number) => `    ${number}\tline ${number}`)
    equal(content, lines.join('\n'))
    equal(total_lines, 30)
  }),

  check('T1.1', 'Read: a path relative to the working folder', async ({ put, result }) => {
    await put('folder/a.txt', 'a\n')
    equal((await result('Read', { file_path: 'folder/a.txt' }))['content'], '     1\ta')
  }),

  check('T1.1', 'Read: a missing file, with a suggestion', async ({ put, failure }) => {
    await put('notes.txt', 'a\n')
    const { tool, error_type, message } = await failure('Read', { file_path: 'note.txt' })
    equal(tool, 'Read')
    equal(error_type, 'not_found')
    match(message, /notes\.txt/)
  }),

  check('T1.1', 'Read: a binary file is not shown as text', async ({ put, failure }) => {
    await put(
      'data.bin',
      Uint8Array.from({ length: 512 }, (_, at) => at % 256),
    )
    equal((await failure('Read', { file_path: 'data.bin' })).error_type, 'invalid_input')
  }),

  check('T1.1', 'Read: a folder is listed', async ({ put, result }) => {
    await put('sub/a.txt', 'a\n')
    await put('sub/b/c.txt', 'c\n')
    const { content } = await result('Read', { file_path: 'sub' })
    ok(String(content).startsWith('a.txt\nb/'))
  }),
]

/** Checks of Write. */
export const write: readonly Check[] = [
  check('T1.2', 'Write: creates a file and its folders', async ({ path, text, result }) => {
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
    'Write: does not replace a file that changed since it was read',
    async ({ put, text, result, failure }) => {
      await put('a.txt', 'one\n')
      await result('Read', { file_path: 'a.txt' })
      await put('a.txt', 'changed by another program\n')
      const { error_type, message } = await failure('Write', { file_path: 'a.txt', content: 'x' })
      equal(error_type, 'invalid_input')
      match(message, /changed since it was read/)
      equal(await text('a.txt'), 'changed by another program\n')
    },
  ),

  check('T1.2', 'Write: does not replace a folder', async ({ path, failure }) => {
    await mkdir(path('folder'))
    const { error_type } = await failure('Write', { file_path: 'folder', content: 'x' })
    equal(error_type, 'invalid_input')
    equal((await stat(path('folder'))).isDirectory(), true)
  }),
]

/** Checks of Edit. */
export const edit: readonly Check[] = [
  check('T1.3', 'Edit: an exact text that occurs once', async ({ put, path, text, result }) => {
    await put('main.go', 'fmt.Println("Hello")\r\nreturn\r\n')
    const { success, replacements } = await result('Edit', {
      file_path: path('main.go'),
      old_string: 'fmt.Println("Hello")',
      new_string: 'fmt.Println("Hello, World!")',
    })
    equal(success, true)
    equal(replacements, 1)
    equal(await text('main.go'), 'fmt.Println("Hello, World!")\r\nreturn\r\n')
  }),

  check('T1.3', 'Edit: every occurrence, if requested', async ({ put, text, result }) => {
    await put('a.txt', 'x = 1\ny = x\n')
    await result('Read', { file_path: 'a.txt' })
    const args = { file_path: 'a.txt', old_string: 'x', new_string: 'z', replace_all: true }
    equal((await result('Edit', args))['replacements'], 2)
    equal(await text('a.txt'), 'z = 1\ny = z\n')
  }),

  check('T1.3', 'Edit: a text that does not occur', async ({ put, text, failure }) => {
    await put('a.txt', 'const total = 1\n')
    const args = { file_path: 'a.txt', old_string: 'const totals = 1', new_string: 'x' }
    const { tool, error_type, message } = await failure('Edit', args)
    equal(tool, 'Edit')
    equal(error_type, 'not_found')
    match(message, /const total = 1/)
    equal(await text('a.txt'), 'const total = 1\n')
  }),

  check('T1.3', 'Edit: a text that occurs twice', async ({ put, text, failure }) => {
    await put('a.txt', 'same\nother\nsame\n')
    const args = { file_path: 'a.txt', old_string: 'same', new_string: 'x' }
    const { error_type, message } = await failure('Edit', args)
    equal(error_type, 'invalid_input')
    match(message, /2 times.*1, 3/)
    equal(await text('a.txt'), 'same\nother\nsame\n')
  }),

  check('T1.3', 'Edit: a missing file', async ({ failure }) => {
    const args = { file_path: 'none.txt', old_string: 'a', new_string: 'b' }
    equal((await failure('Edit', args)).error_type, 'not_found')
  }),
]
