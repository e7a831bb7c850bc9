import { equal, match, ok } from 'node:assert/strict'
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
