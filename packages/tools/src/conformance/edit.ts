import { equal, match } from 'node:assert/strict'
import { type Check, check } from './check.ts'

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
