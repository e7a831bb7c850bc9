import { readFileSync, writeFileSync } from 'node:fs'
import type { ToolError } from '@toolglot/agent'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { contextOf, createWorkspace, type Workspace } from '../../test/workspace.ts'
import { editTool } from './edit.ts'
import { readTool } from './read.ts'
import { isLong } from '../../../../tests/helpers/size.ts'

let workspace: Workspace
beforeAll(async () => {
  workspace = await createWorkspace()
})
afterAll(() => workspace.remove())

const run = contextOf({ run: 'run' })
let count = 0

/** Writes a file, reads and edits it as a model would, and returns its new bytes. */
async function edited(
  before: string | Uint8Array,
  old: string,
  replacement: string,
  all?: boolean,
) {
  const name = `file-${++count}.txt`
  writeFileSync(workspace.path(name), before)
  await readTool(workspace.host).execute({ file_path: name }, run)
  const result = await edit(name, old, replacement, all)
  return { ...result, text: readFileSync(workspace.path(name), 'utf8'), name }
}

async function edit(
  file_path: string,
  old_string: string,
  new_string: string,
  replace_all?: boolean,
) {
  const args = { file_path, old_string, new_string, replace_all }
  return editTool(workspace.host).execute(args, contextOf({ run: 'run' }))
}

async function failure(before: string, old: string, replacement: string, all?: boolean) {
  const error = await edited(before, old, replacement, all).then(
    (result) => expect.fail(`did not fail: ${JSON.stringify(result)}`),
    (error: ToolError) => error,
  )
  // The file is unchanged.
  expect(readFileSync(workspace.path(`file-${count}.txt`), 'utf8')).toBe(before)
  return error
}

describe('exactly', () => {
  test('in one place', async () => {
    const result = await edited('one two three\n', 'two', '2')
    expect(result).toMatchObject({ success: true, replacements: 1, match: 'exact' })
    expect(result.text).toBe('one 2 three\n')
    expect(result.diff).toContain('-one two three\n+one 2 three')
    expect(result.notice).toBeUndefined()
  })

  test('in every place, with replace_all', async () => {
    const result = await edited('a.a.a', 'a', 'bb', true)
    expect(result).toMatchObject({ replacements: 3, text: 'bb.bb.bb' })
  })

  test('without special meaning of $', async () => {
    for (const text of ['$&', '$1', '$$', "$'", '$`', '$<x>']) {
      expect((await edited('a x b', 'x', text)).text).toBe(`a ${text} b`)
      expect((await edited('x x', 'x', text, true)).text).toBe(`${text} ${text}`)
    }
  })

  test('not if two places match, even if they overlap', async () => {
    const error = await failure('x\ny\nx\n', 'x', 'z')
    expect(error).toMatchObject({ errorType: 'invalid_input', details: { code: 'not_unique' } })
    expect(error.message).toContain('2 times')
    expect(error.message).toContain('lines 1, 3')
    expect((await failure('aaa', 'aa', 'b')).details).toMatchObject({ code: 'not_unique' })
  })

  test('with or without the final line break', async () => {
    expect((await edited('a\nb', 'b', 'b\n')).text).toBe('a\nb\n')
    expect((await edited('a\nb\n', 'b\n', 'b')).text).toBe('a\nb')
  })

  test('fails if the file would stay the same', async () => {
    expect(await failure('a', 'a', 'a')).toMatchObject({ details: { code: 'no_change' } })
    expect(await failure('a\r\nb', 'a\nb', 'a\r\nb')).toMatchObject({
      details: { code: 'no_change' },
    })
  })

  test('in time linear in both texts', async () => {
    // With a naive comparison this would take minutes.
    const size = isLong ? 200_000 : 50_000
    await failure('a'.repeat(2 * size), `${'a'.repeat(size)}b`, 'c')
    await failure('a\n'.repeat(size), `${'a\n'.repeat(size / 2)}b`, 'c')
  })
})

const ends: [before: string, old: string, replacement: string, after: string][] = [
  ['a\r\nb\r\nc\r\n', 'a\nb', 'A\nB', 'A\r\nB\r\nc\r\n'],
  ['a\r\nb\r\nc\r\n', 'b', 'b1\nb2\nb3', 'a\r\nb1\r\nb2\r\nb3\r\nc\r\n'],
  ['a\nb\nc\n', 'a\r\nb', 'A\r\nB', 'A\nB\nc\n'],
  // With mixed line ends, each line keeps its own.
  ['a\r\nb\nc\r\nd\n', 'a\nb\nc\nd', 'a\nB\nc\nd', 'a\r\nB\nc\r\nd\n'],
  ['a\r\nb\nc\r\nd\n', 'b\nc', 'B\nC', 'a\r\nB\nC\r\nd\n'],
  ['a\r\nb\nc\r\nd\n', 'c\n', '', 'a\r\nb\nd\n'],
  ['a\r\nb\nc', 'b', 'b\nx', 'a\r\nb\r\nx\nc'],
  ['\ufeffa\r\nb', 'a\nb', 'x\ny', '\ufeffx\r\ny'],
  ['a\rb\r\nc', 'b', 'x', 'a\rx\r\nc'],
]

test.each(ends)(
  'keeps line ends and byte order marks: %j, %j to %j',
  async (before, old, replacement, after) => {
    expect((await edited(before, old, replacement)).text).toBe(after)
  },
)

test('keeps encodings', async () => {
  const utf16 = await edited(Buffer.from('\ufeffa\r\nb', 'utf16le'), 'b', 'bạn')
  expect(readFileSync(workspace.path(utf16.name))).toEqual(Buffer.from('\ufeffa\r\nbạn', 'utf16le'))
  // An invalid byte in UTF-8 is preserved.
  const stray = await edited(
    Buffer.concat([Buffer.from('chào bạn ă é ô '), Buffer.of(0xff)]),
    'ă',
    'â',
  )
  const bytes = readFileSync(workspace.path(stray.name))
  expect(bytes).toEqual(Buffer.concat([Buffer.from('chào bạn â é ô '), Buffer.of(0xff)]))
})

describe('small mistakes in old_string', () => {
  test('trailing whitespace', async () => {
    const before = 'if (a) {  \n\tb()\t\n}\nend\n'
    const result = await edited(before, 'if (a) {\n\tb()\n}', 'if (a) {\n\tc()\n}')
    expect(result).toMatchObject({ match: 'trailing whitespace', replacements: 1 })
    expect(result.notice).toContain('trailing whitespace')
    // Lines that the edit does not change keep their trailing whitespace.
    expect(result.text).toBe('if (a) {  \n\tc()\n}\nend\n')
  })

  test('all lines indented differently', async () => {
    const before = 'class A {\n    if (a) {\n        b()\n    }\n}\n'
    const result = await edited(before, 'if (a) {\n    b()\n}\n', 'if (a) {\n    c()\n    d()\n}\n')
    expect(result.match).toBe('indentation')
    expect(result.text).toBe('class A {\n    if (a) {\n        c()\n        d()\n    }\n}\n')
    const less = await edited('a()\nb()\n', '  a()\n  b()\n', '  a()\n  x()\n')
    expect(less.text).toBe('a()\nx()\n')
    const tabs = await edited(
      '\tif a:\n\t\tb()\n',
      '    if a:\n        b()',
      '    if a:\n        c()\n            d()',
    )
    expect(tabs.text).toBe('\tif a:\n\t\tc()\n\t\t\td()\n')
  })

  test('inconsistent indentation is not guessed', async () => {
    const error = await failure('  a()\n      b()\n', 'a()\nb()\n', 'a()\nc()\n')
    expect(error).toMatchObject({ errorType: 'not_found', details: { code: 'no_match' } })
  })

  test('quotes and dashes', async () => {
    const before = 'He said “no” – twice – and “yes”.\n“no”\n'
    const result = await edited(before, 'He said "no" - twice', 'He said "no" - thrice')
    expect(result.match).toBe('punctuation')
    // Only the matched text changes, and only where it differs from the new text.
    expect(result.text).toBe('He said “no” – thrice – and “yes”.\n“no”\n')
  })

  test('are not accepted with two candidates, nor with replace_all', async () => {
    expect(await failure('a \nb\na \nb\n', 'a\nb\n', 'c\n')).toMatchObject({
      details: { code: 'not_unique' },
    })
    expect(await failure('“a”', '"a"', 'b', true)).toMatchObject({ details: { code: 'no_match' } })
  })
})

const misses: [what: string, before: string, old: string, says: string[]][] = [
  [
    'whitespace inside a line',
    'let  x = 1\n',
    'let x = 1',
    ['Only whitespace', 'line 1', '"let  x = 1"'],
  ],
  ['case', 'one\nconst Foo = 1\n', 'const foo = 1', ['upper and lower case', 'line 2', 'Foo']],
  ['escaping', 'say("a\\nb")\n', 'say(\\"a\\nb\\")', ['escaping', 'line 1']],
  ['a line end written out', 'a\nb\n', 'a\\nb', ['escaping', 'line 1']],
  ['line numbers', 'a\nb\n', '     1\ta\n     2\tb', ['line numbers']],
  [
    'an old version',
    'function one() {\n  return 1\n}\n',
    'function one() {\n  return 2\n}',
    ['line 1', '  return 1', 'for line 2', '  return 2'],
  ],
  ['a likeness', 'x\nthe quick brown fox\n', 'the quick brown cat', ['line 2', 'fox']],
  ['nothing', 'abc\n', 'qqqqqqqq', ['Nothing in the file is similar']],
  ['an empty file', '', 'a', ['empty']],
]

test.each(misses)('are explained in the error: %s', async (_what, before, old, says) => {
  const { message } = await failure(before, old, 'new', false)
  for (const part of says) expect(message).toContain(part)
})

test('are shown with unusual characters escaped', async () => {
  const { message } = await failure('a\u00a0b c d\n', 'a b  c d', 'x')
  expect(message).toContain('\\u00a0')
})

describe('a file that was changed by others', () => {
  async function changed(after: string, old: string, replacement: string, all?: boolean) {
    const name = `changed-${++count}.txt`
    writeFileSync(workspace.path(name), 'one\ntwo\n')
    await readTool(workspace.host).execute({ file_path: name }, run)
    writeFileSync(workspace.path(name), after)
    return edit(name, old, replacement, all)
  }

  test('is edited if old_string matches exactly and once', async () => {
    const result = await changed('zero\none\ntwo\n', 'two', '2')
    expect(result.notice).toBe('The file has changed since it was read; those changes are kept.')
  })

  test('is not edited otherwise', async () => {
    for (const [after, all] of [
      ['one  \ntwo', false],
      ['one\ntwo\nthree', true],
    ] as const)
      await expect(changed(after, 'one\ntwo', 'x', all)).rejects.toMatchObject({
        details: { code: 'read_first' },
      })
  })
})

test('edits an unread file only if old_string matches exactly', async () => {
  writeFileSync(workspace.path('unread.txt'), 'a b a')
  await expect(edit('unread.txt', 'a', 'c', true)).rejects.toMatchObject({
    errorType: 'invalid_input',
  })
  expect(await edit('unread.txt', 'b', 'c')).toMatchObject({ replacements: 1 })
})

test('creates a file for an empty old_string, and never overwrites one', async () => {
  expect(await edit('fresh/new.txt', '', 'a\n')).toMatchObject({ replacements: 1 })
  expect(readFileSync(workspace.path('fresh/new.txt'), 'utf8')).toBe('a\n')
  await expect(edit('fresh/new.txt', '', 'b')).rejects.toMatchObject({
    details: { code: 'exists' },
  })
})

test('suggests similar names for a missing file', async () => {
  writeFileSync(workspace.path('component.tsx'), '')
  await expect(edit('componet.tsx', 'a', 'b')).rejects.toMatchObject({
    errorType: 'not_found',
    details: { similar: ['component.tsx'] },
  })
})

test('applies all concurrent edits of one file', async () => {
  const names = Array.from({ length: 40 }, (_, index) => `<${index}>`)
  writeFileSync(workspace.path('busy.txt'), names.join('\n'))
  await Promise.all(names.map((name) => edit('busy.txt', name, name.replace('<', '{'))))
  expect(readFileSync(workspace.path('busy.txt'), 'utf8')).not.toContain('<')
})

test('refuses a placeholder for omitted code', async () => {
  const error = await failure('a\nb\n', 'b', '// ... rest of the code ...')
  expect(error).toMatchObject({ details: { code: 'placeholder' } })
})
