import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import type { ToolError } from '@toolglot/agent'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { forgetShown } from '../file/file-records.ts'
import { contextOf, createWorkspace, type Workspace } from '../../test/workspace.ts'
import { type ReadArguments, readTool } from './read.ts'

let workspace: Workspace
beforeAll(async () => {
  workspace = await createWorkspace()
})
afterAll(() => workspace.remove())

function put(name: string, content: string | Uint8Array): string {
  writeFileSync(workspace.path(name), content)
  return name
}

function read(args: ReadArguments, context = contextOf()) {
  return Promise.resolve(readTool(workspace.host).execute(args, context))
}

function failure(args: ReadArguments): Promise<ToolError> {
  return read(args).then(
    (result) => expect.fail(`did not fail: ${JSON.stringify(result)}`),
    (error: ToolError) => error,
  )
}

async function shown(args: ReadArguments): Promise<string> {
  return readTool(workspace.host).show!(await read(args), args)
}

const lines = (count: number): string =>
  Array.from({ length: count }, (_, index) => `line ${index + 1}\n`).join('')

test('shows each line with its number, six characters wide, and a tab', async () => {
  const name = put('three.txt', 'func main() {\n    fmt.Println("Hello")\n}\n')
  expect(await read({ file_path: name })).toEqual({
    content: '     1\tfunc main() {\n     2\t    fmt.Println("Hello")\n     3\t}',
    total_lines: 3,
    path: workspace.path(name),
    size: 41,
    kind: 'text',
    first_line: 1,
    last_line: 3,
  })
})

test('accepts an absolute path', async () => {
  const name = put('absolute.txt', 'a')
  expect(await read({ file_path: workspace.path(name) })).toMatchObject({ content: '     1\ta' })
})

test('can omit line numbers', async () => {
  const name = put('plain.txt', 'a\nb')
  expect(await read({ file_path: name, line_numbers: false })).toMatchObject({ content: 'a\nb' })
  // Writing the result of Read back changes nothing.
  for (const text of ['a\nb\n', 'a', '\n', 'a\n\n', '']) {
    const file_path = put('ends.txt', text)
    expect(await read({ file_path, line_numbers: false })).toMatchObject({ content: text })
  }
})

test('starts at offset, counted from 1, and shows how to continue', async () => {
  const name = put('window.txt', lines(30))
  expect(await read({ file_path: name, offset: 10, limit: 5 })).toMatchObject({
    content: '    10\tline 10\n    11\tline 11\n    12\tline 12\n    13\tline 13\n    14\tline 14',
    total_lines: 30,
    first_line: 10,
    last_line: 14,
    next_offset: 15,
    notice: 'Showing lines 10-14 of 30. Use offset=15 to continue.',
  })
  expect(await read({ file_path: name, offset: 28 })).toMatchObject({
    last_line: 30,
    notice: 'Showing lines 28-30 of 30. This is the end.',
  })
  expect(await read({ file_path: name, offset: 0, limit: 1 })).toMatchObject({ first_line: 1 })
})

test('shows 2000 lines by default, and counts all lines', async () => {
  const name = put('many.txt', lines(2500))
  const result = await read({ file_path: name })
  expect(result).toMatchObject({ total_lines: 2500, last_line: 2000, next_offset: 2001 })
})

test('shows the whole file in successive parts', async () => {
  const text = Array.from({ length: 700 }, (_, index) => 'x'.repeat(index)).join('\n')
  const name = put('pages.txt', text)
  const pages: string[] = []
  for (let offset: number | undefined = 1; offset !== undefined;) {
    const page: Awaited<ReturnType<typeof read>> = await read({
      file_path: name,
      offset,
      line_numbers: false,
    })
    expect(Buffer.byteLength(page.content)).toBeLessThanOrEqual(50 * 1024)
    pages.push(page.content)
    offset = page.next_offset
  }
  expect(pages.length).toBeGreaterThan(3)
  expect(pages.join('\n')).toBe(text)
})

test('cuts a long line, with a hint for reading the rest', async () => {
  const name = put('long.txt', `a\n${'x'.repeat(300_000)}\nb`)
  const result = await read({ file_path: name })
  expect(result.total_lines).toBe(3)
  expect(result.content.length).toBeLessThan(2200)
  expect(result.content).toContain('[line cut: it has 300000 bytes]')
  expect(result.content.endsWith('     3\tb')).toBe(true)
  expect(result.notice).toContain("sed -n '2p'")
})

test('never cuts a line inside a character', async () => {
  const name = put('wide.txt', '😀'.repeat(5000))
  const { content } = await read({ file_path: name })
  expect(content).not.toContain('\ufffd')
  expect(/\p{Surrogate}/u.test(content)).toBe(false)
})

test('does not show carriage returns', async () => {
  expect(await read({ file_path: put('crlf.txt', 'a\r\nb\r\n') })).toMatchObject({
    content: '     1\ta\n     2\tb',
    total_lines: 2,
  })
})

test('distinguishes an empty file from an offset past the end', async () => {
  const empty = await read({ file_path: put('empty.txt', '') })
  expect(empty).toMatchObject({ content: '', total_lines: 0 })
  expect(empty.notice).toBe('empty.txt exists, but is empty.')
  const past = await read({ file_path: put('few.txt', 'a\nb\n'), offset: 9 })
  expect(past).toMatchObject({ content: '', total_lines: 2 })
  expect(past.notice).toContain('offset 9 is past the end: there are 2 lines.')
})

test('lists a folder, one page at a time', async () => {
  mkdirSync(workspace.path('folder/inner'), { recursive: true })
  put('folder/b.txt', '')
  put('folder/a.txt', '')
  symlinkSync('inner', workspace.path('folder/link'))
  expect(await read({ file_path: 'folder' })).toMatchObject({
    content: 'a.txt\nb.txt\ninner/\nlink/',
    total_lines: 4,
    kind: 'folder',
  })
  const page = await read({ file_path: 'folder', offset: 2, limit: 2 })
  expect(page).toMatchObject({ content: 'b.txt\ninner/', next_offset: 4 })
})

test('suggests similar names for a missing file', async () => {
  put('settings.json', '{}')
  put('zebra.md', '')
  const error = await failure({ file_path: 'setings.json' })
  expect(error).toMatchObject({ errorType: 'not_found' })
  expect(error.message).toContain('Did you mean settings.json')
  expect(error.message).not.toContain('zebra')
  expect((await failure({ file_path: 'Settings.JSON' })).message).toContain('settings.json')
  expect((await failure({ file_path: 'nowhere/x.txt' })).message).toContain(
    'The folder nowhere does not exist either.',
  )
})

test('suggests names that look the same but have another Unicode form', async () => {
  put('Ann\u2019s cafe\u0301.txt', '')
  const error = await failure({ file_path: "Ann's caf\u00e9.txt" })
  expect(error.details?.['similar']).toEqual(['Ann\u2019s cafe\u0301.txt'])
})

test('recognizes binary files by content and refuses them, with their type', async () => {
  const zip = await failure({ file_path: put('a.txt.zip', 'PK\x03\x04\0\0\0\0') })
  expect(zip).toMatchObject({ errorType: 'invalid_input', details: { code: 'binary_file' } })
  expect(zip.message).toContain('application/zip')
  await expect(failure({ file_path: put('nul.ts', 'a\0b') })).resolves.toBeDefined()
  const control = Uint8Array.from({ length: 100 }, (_, index) => (index % 2 ? 1 : 65))
  await expect(failure({ file_path: put('control.txt', control) })).resolves.toBeDefined()
})

test('reads a .ts file as text, although .ts is also a video format', async () => {
  expect(await read({ file_path: put('video.mts', 'export {}') })).toMatchObject({ kind: 'text' })
})

test('refuses pipes, sockets and devices immediately', async () => {
  execFileSync('mkfifo', [workspace.path('pipe')])
  const server = createServer().listen(workspace.path('socket'))
  await once(server, 'listening')
  for (const [path, what] of [
    ['pipe', 'a named pipe'],
    ['socket', 'a socket'],
    ['/dev/zero', 'a device'],
  ] as const) {
    const error = await failure({ file_path: path })
    expect(error).toMatchObject({ errorType: 'invalid_input', details: { code: 'special_file' } })
    expect(error.message).toContain(what)
  }
  server.close()
})

const encodings: [name: string, bytes: Buffer][] = [
  ['utf-8', Buffer.from('\ufeffchào\nbạn\n')],
  ['utf-16le', Buffer.from('\ufeffchào\nbạn\n', 'utf16le')],
  ['utf-16be', Buffer.from('\ufeffchào\nbạn\n', 'utf16le').swap16()],
  ['utf-32le', utf32('\ufeffchào\nbạn\n', true)],
  ['utf-32be', utf32('\ufeffchào\nbạn\n', false)],
]

function utf32(text: string, little: boolean): Buffer {
  const buffer = Buffer.alloc(Array.from(text).length * 4)
  for (const [index, character] of Array.from(text).entries()) {
    const point = character.codePointAt(0)!
    if (little) buffer.writeUInt32LE(point, index * 4)
    else buffer.writeUInt32BE(point, index * 4)
  }
  return buffer
}

test.each(encodings)(
  'recognizes the byte order mark of %s and does not show it',
  async (name, bytes) => {
    const result = await read({ file_path: put(`marked-${name}.txt`, bytes) })
    expect(result).toMatchObject({ content: '     1\tchào\n     2\tbạn', total_lines: 2 })
    expect(result.encoding).toBe(name === 'utf-8' ? undefined : name)
  },
)

test('shows a file in a legacy encoding, and reports its encoding', async () => {
  // 中文编码测试，文件内容。
  const bytes = Buffer.from('d6d0cec4b1e0c2ebb2e2cad4a3accec4bcfec4dac8dda1a3', 'hex')
  const name = put('old.txt', bytes)
  const result = await read({ file_path: name })
  expect(result).toMatchObject({ content: '     1\t中文编码测试，文件内容。', encoding: 'gbk' })
  expect(await read({ file_path: name, encoding: 'big5' })).toMatchObject({ encoding: 'big5' })
  const error = await failure({ file_path: name, encoding: 'klingon' })
  expect(error.message).toContain('Unknown encoding "klingon"')
})

test('recognizes an image by its bytes and returns it as an image', async () => {
  const png = Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAMAAAACCAYAAACddGYaAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    'base64',
  )
  const result = await read({ file_path: put('picture.txt', png) })
  expect(result.image).toEqual({
    media_type: 'image/png',
    data: png.toString('base64'),
    bytes: png.length,
    width: 3,
    height: 2,
  })
  expect(await shown({ file_path: 'picture.txt' })).toContain('3 x 2 pixels')
})

test('reads SVG as text, and other text that starts like an image', async () => {
  expect(await read({ file_path: put('a.svg', '<svg/>') })).toMatchObject({ kind: 'text' })
  expect(await read({ file_path: put('b.md', 'GIF89a is old') })).toMatchObject({ kind: 'text' })
})

test('shows a notebook as cells, as JSON with an offset, and as text if it is invalid', async () => {
  const notebook = {
    cells: [
      { cell_type: 'markdown', source: ['# Title\n', 'text'] },
      {
        cell_type: 'code',
        source: 'print(1)',
        outputs: [
          { output_type: 'stream', text: ['1\n'] },
          { output_type: 'display_data', data: { 'text/plain': '<Figure>', 'image/png': 'x' } },
          { output_type: 'error', ename: 'ValueError', evalue: 'no' },
        ],
      },
    ],
  }
  const name = put('a.ipynb', JSON.stringify(notebook))
  const result = await read({ file_path: name })
  expect(result).toMatchObject({ kind: 'notebook' })
  expect(result.content).toBe(
    [
      '[cell 1: markdown]\n# Title\ntext',
      '[cell 2: code]\nprint(1)',
      '[output of cell 2]\n1\n',
      '[output of cell 2]\n<Figure>\n[image/png]',
      '[output of cell 2]\nValueError: no',
    ].join('\n'),
  )
  expect((await read({ file_path: name, offset: 1 })).content).toContain('{"cells"')
  expect(await read({ file_path: put('b.ipynb', '{') })).toMatchObject({ kind: 'text' })
})

test('does not show a file twice that is unchanged since it was read in a run', async () => {
  const name = put('again.txt', 'a\nb\n')
  const run = contextOf({ run: 'run-1' })
  expect((await read({ file_path: name }, run)).content).not.toBe('')
  const again = await read({ file_path: name }, run)
  expect(again).toMatchObject({ content: '', total_lines: 2 })
  expect(again.notice).toContain('unchanged')
  // Part of a file, another run, a call without a run: all are shown.
  expect((await read({ file_path: name, offset: 1 }, run)).content).not.toBe('')
  expect((await read({ file_path: name }, contextOf({ run: 'run-2' }))).content).not.toBe('')
  expect((await read({ file_path: name })).content).not.toBe('')
})

test('shows a file again if only part was shown, it has changed, or it left the context', async () => {
  const run = contextOf({ run: 'run-3' })
  const long = put('part.txt', lines(2500))
  await read({ file_path: long }, run)
  expect((await read({ file_path: long }, run)).content).not.toBe('')
  const name = put('touched.txt', 'a')
  await read({ file_path: name }, run)
  put('touched.txt', 'b')
  utimesSync(workspace.path(name), 1, 1)
  expect((await read({ file_path: name }, run)).content).toContain('b')
  forgetShown(workspace.host.files, 'run-3')
  expect((await read({ file_path: name }, run)).content).toContain('b')
})

test('stops when aborted', async () => {
  const name = put('stopped.txt', lines(10))
  const signal = AbortSignal.abort()
  await expect(read({ file_path: name }, contextOf({ signal }))).rejects.toThrow('aborted')
})

test('refuses a link out of the workspace, and reports its target', async () => {
  writeFileSync(`${workspace.outside}/secret`, 'secret')
  symlinkSync(`${workspace.outside}/secret`, workspace.path('link'))
  symlinkSync(workspace.outside, workspace.path('linked'))
  symlinkSync('nothing', workspace.path('dangling'))
  for (const file_path of ['link', 'linked/secret', 'linked', 'linked/../outside/secret']) {
    const error = await failure({ file_path })
    expect(error).toMatchObject({ errorType: 'permission_denied' })
    expect(error.message).toContain(workspace.outside)
  }
  expect(await failure({ file_path: 'dangling' })).toMatchObject({ errorType: 'not_found' })
  // The real path makes a decision possible.
  const result = await read({ file_path: `${workspace.outside}/secret` })
  expect(result.content).toContain('secret')
})

test('opens only the paths that were decided on', async () => {
  const name = put('decided.txt', 'a')
  const paths = [workspace.path('decided.txt')]
  expect((await read({ file_path: name }, contextOf({ paths }))).content).toContain('a')
  const other = read({ file_path: put('other.txt', 'b') }, contextOf({ paths }))
  await expect(other).rejects.toMatchObject({ errorType: 'permission_denied' })
  // A link with a permitted target.
  const outside = `${workspace.outside}/permitted`
  writeFileSync(outside, 'c')
  symlinkSync(outside, workspace.path('permitted'))
  const linked = await read({ file_path: 'permitted' }, contextOf({ paths: [outside] }))
  expect(linked.content).toContain('c')
})

test.each(['', 'a\0b', 'x'.repeat(300), 'three.txt/below', '..//'])(
  'fails with a message for a path such as %j',
  async (file_path) => {
    const result = await read({ file_path }).catch((error: unknown) => error)
    if (file_path === '..//') return expect(result).toMatchObject({ kind: 'folder' })
    expect(result).toMatchObject({ name: 'ToolError' })
  },
)
