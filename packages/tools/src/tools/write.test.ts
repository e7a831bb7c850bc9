import {
  chmodSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import type { ToolError } from '@toolglot/agent'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { contextOf, createWorkspace, type Workspace } from '../../test/workspace.ts'
import { readTool } from './read.ts'
import { writeTool } from './write.ts'
import { lacks } from '../../../../tests/helpers/abilities.ts'

let workspace: Workspace
beforeAll(async () => {
  workspace = await createWorkspace()
})
afterAll(() => workspace.remove())

const inRun = () => contextOf({ run: 'run' })

function put(name: string, content: string | Uint8Array): string {
  writeFileSync(workspace.path(name), content)
  return name
}

async function write(file_path: string, content: string, context = inRun()) {
  return writeTool(workspace.host).execute({ file_path, content }, context)
}

async function read(file_path: string, encoding?: string) {
  return readTool(workspace.host).execute({ file_path, encoding }, inRun())
}

function failure(file_path: string, content: string, context = inRun()): Promise<ToolError> {
  return write(file_path, content, context).then(
    (result) => expect.fail(`did not fail: ${JSON.stringify(result)}`),
    (error: ToolError) => error,
  )
}

const bytesOf = (name: string): Buffer => readFileSync(workspace.path(name))

test('creates a file with exactly the content, and its folders', async () => {
  const content = 'package main\n\nfunc main() {}\n'
  const result = await write('new/deep/main.go', content)
  expect(result).toEqual({
    success: true,
    bytes_written: content.length,
    path: workspace.path('new/deep/main.go'),
    created: true,
  })
  expect(bytesOf('new/deep/main.go').toString()).toBe(content)
  expect(readdirSync(workspace.path('new/deep'))).toEqual(['main.go'])
})

test('gives a new file the mode of the umask, and keeps that of a replaced one', async () => {
  await write('mode.txt', 'a')
  writeFileSync(workspace.path('plain.txt'), '')
  expect(statSync(workspace.path('mode.txt')).mode).toBe(statSync(workspace.path('plain.txt')).mode)
  chmodSync(workspace.path('mode.txt'), 0o751)
  await read('mode.txt')
  await write('mode.txt', 'b')
  expect(statSync(workspace.path('mode.txt')).mode & 0o7777).toBe(0o751)
})

test('shows a replacement as a diff', async () => {
  put('diff.txt', 'a\nb\nc\n')
  await read('diff.txt')
  const result = await write('diff.txt', 'a\nB\nc\n')
  expect(result).toMatchObject({ created: false, bytes_written: 6 })
  expect(result.diff).toBe('--- diff.txt\n+++ diff.txt\n@@ -1,3 +1,3 @@\n a\n-b\n+B\n c')
})

test('does not overwrite an unread file in a run, but does outside a run', async () => {
  put('unread.txt', 'mine')
  expect(await failure('unread.txt', 'x')).toMatchObject({ details: { code: 'not_read' } })
  expect(bytesOf('unread.txt').toString()).toBe('mine')
  await write('unread.txt', 'x', contextOf())
  expect(bytesOf('unread.txt').toString()).toBe('x')
})

test('accepts any earlier read, or an earlier write', async () => {
  put('window.txt', 'a\n'.repeat(5000))
  await read('window.txt')
  await write('window.txt', 'short')
  await write('window.txt', 'shorter')
  expect(bytesOf('window.txt').toString()).toBe('shorter')
})

test('does not overwrite a file changed by another program, unless only its times changed', async () => {
  put('stale.txt', 'a')
  await read('stale.txt')
  put('stale.txt', 'theirs')
  expect(await failure('stale.txt', 'x')).toMatchObject({ details: { code: 'changed_since_read' } })
  expect(bytesOf('stale.txt').toString()).toBe('theirs')
  await read('stale.txt')
  put('stale.txt', 'theirs')
  await write('stale.txt', 'mine')
  expect(bytesOf('stale.txt').toString()).toBe('mine')
})

test('keeps a link, and writes its target', async () => {
  mkdirSync(workspace.path('real'))
  put('real/target.txt', 'a')
  symlinkSync('real/target.txt', workspace.path('link.txt'))
  await read('link.txt')
  await write('link.txt', 'b')
  expect(readlinkSync(workspace.path('link.txt'))).toBe('real/target.txt')
  expect(bytesOf('real/target.txt').toString()).toBe('b')
})

test('writes no file through a link that leads outside or is dangling', async () => {
  writeFileSync(`${workspace.outside}/theirs`, 'theirs')
  symlinkSync(`${workspace.outside}/theirs`, workspace.path('out'))
  symlinkSync(`${workspace.outside}/new`, workspace.path('nowhere'))
  symlinkSync(workspace.outside, workspace.path('folder-out'))
  for (const name of [
    'out',
    'nowhere',
    'folder-out/new',
    'folder-out/deep/new',
    'folder-out/theirs',
  ])
    await failure(name, 'x', contextOf())
  expect(readdirSync(workspace.outside)).toEqual(['theirs'])
  expect(readFileSync(`${workspace.outside}/theirs`, 'utf8')).toBe('theirs')
  expect(lstatSync(workspace.path('nowhere')).isSymbolicLink()).toBe(true)
})

test('refuses folders, pipes and read-only files', async () => {
  mkdirSync(workspace.path('folder'))
  expect((await failure('folder', 'x')).message).toContain('is a folder')
  expect(await failure('/dev/null', 'x')).toMatchObject({ details: { code: 'special_file' } })
  put('file', '')
  expect(await failure('file/below', 'x')).toMatchObject({ errorType: 'not_found' })
  expect(await failure('new/..', 'x')).toBeDefined()
})

test.skipIf(await lacks('a user other than root'))(
  'leaves a read-only file unchanged',
  async () => {
    put('closed.txt', 'a')
    chmodSync(workspace.path('closed.txt'), 0o444)
    await read('closed.txt')
    expect(await failure('closed.txt', 'x')).toMatchObject({ errorType: 'permission_denied' })
  },
)

const kept: [what: string, before: Uint8Array, content: string, after: Uint8Array][] = [
  ['CRLF', Buffer.from('a\r\nb\r\n'), 'a\nc\n', Buffer.from('a\r\nc\r\n')],
  ['LF', Buffer.from('a\nb\n'), 'a\nc\n', Buffer.from('a\nc\n')],
  ['a mark', Buffer.from('\ufeffa'), 'b', Buffer.from('\ufeffb')],
  ['a mark, given again', Buffer.from('\ufeffa'), '\ufeffb', Buffer.from('\ufeffb')],
  ['UTF-16', utf16('\ufeffa\r\n'), 'ă\n', utf16('\ufeffă\r\n')],
  ['no final newline', Buffer.from('a\n'), 'a', Buffer.from('a')],
]

function utf16(text: string): Buffer {
  return Buffer.from(text, 'utf16le')
}

test.each(kept)('keeps %s', async (what, before, content, after) => {
  const name = put(`kept-${what.replaceAll(' ', '-')}.txt`, before)
  await read(name)
  await write(name, content)
  expect(bytesOf(name)).toEqual(Buffer.from(after))
})

test('keeps a legacy encoding, and reports a character it lacks', async () => {
  const name = put('latin.txt', Buffer.from([0xe9, 0x74, 0xe9]))
  expect((await read(name)).encoding).toBe('windows-1252')
  await write(name, 'été à')
  expect(bytesOf(name)).toEqual(Buffer.from([0xe9, 0x74, 0xe9, 0x20, 0xe0]))
  expect((await failure(name, 'chữ')).message).toContain('"ữ"')
  const cyrillic = put('cyrillic.txt', Buffer.from([0xef, 0xf0, 0xe8]))
  await read(cyrillic, 'windows-1251')
  await write(cyrillic, 'приз')
  expect(bytesOf(cyrillic)).toEqual(Buffer.from([0xef, 0xf0, 0xe8, 0xe7]))
})

test('refuses a placeholder for omitted code, unless the file already has it', async () => {
  for (const line of [
    '// ... rest of the code ...',
    '# ... existing code unchanged ...',
    '/* … remaining methods … */',
    '<!-- ... rest of the file ... -->',
    '(... rest of the code ...)',
    '    // ... other methods remain the same ...',
  ]) {
    const error = await failure('omitted.ts', `a\n${line}\nb\n`)
    expect(error).toMatchObject({ details: { code: 'placeholder', line: line.trim() } })
  }
  for (const line of [
    '// the rest of the arguments',
    'const all = [...rest, ...existing]',
    '# Loading...',
    'He told the rest of the story...',
    '// ... and so the parser reads the remaining tokens with a stack ...',
  ])
    await write(`fine-${line.length}.ts`, `${line}\n`)
  put('own.ts', '// ... rest of the code ...\n')
  await read('own.ts')
  await write('own.ts', 'a\n// ... rest of the code ...\n')
})

test('refuses half a character and text that is too long before writing', async () => {
  expect(await failure('half.txt', 'a\ud83d')).toMatchObject({
    details: { code: 'lone_surrogate' },
  })
  expect(await failure('large.txt', 'x'.repeat(11 * 1024 * 1024))).toMatchObject({
    details: { code: 'too_large' },
  })
  expect(readdirSync(workspace.root)).not.toContain('large.txt')
})

test('does not overwrite a binary file as if it were text', async () => {
  const name = put('program', '\x7fELF\0\0')
  expect(await failure(name, 'x', contextOf())).toMatchObject({ details: { code: 'binary_file' } })
})

test('changes no file when aborted', async () => {
  put('stopped.txt', 'a')
  const signal = AbortSignal.abort()
  await failure('stopped.txt', 'b', contextOf({ signal }))
  await failure('never.txt', 'b', contextOf({ signal }))
  expect(bytesOf('stopped.txt').toString()).toBe('a')
  expect(readdirSync(workspace.root)).not.toContain('never.txt')
})

test('a hard link to the file keeps the old content', async () => {
  put('one-name.txt', 'a')
  linkSync(workspace.path('one-name.txt'), workspace.path('other-name.txt'))
  await write('one-name.txt', 'b', contextOf())
  expect(bytesOf('other-name.txt').toString()).toBe('a')
})

test("gives each of several concurrent calls the previous call's content", async () => {
  const contents = Array.from({ length: 30 }, (_, index) => `${index}`.repeat(1000))
  await write('busy.txt', 'first')
  await Promise.all(contents.map((content) => write('busy.txt', content)))
  expect(contents).toContain(bytesOf('busy.txt').toString())
  expect(readdirSync(workspace.root).filter((name) => name.endsWith('.tmp'))).toEqual([])
})
