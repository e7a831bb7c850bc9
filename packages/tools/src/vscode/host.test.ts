import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { execute, type ExecuteResult } from '@toolglot/agent'
import { expect, test, vi } from 'vitest'
import { overHost } from '../conformance/index.ts'
import { createTools } from '../create-tools.ts'
import type { Host } from '../host/host.ts'
import { nodeLanguage } from '../node/language.ts'
import { nodeSearch } from '../node/search/search.ts'
import { describeConformance } from '../../test/describe-conformance.ts'
import { fakeVscode, type FakeVscode } from '../../test/fake-vscode.ts'
import { context, machine } from '../../test/machine.ts'
import { allow } from '../../test/web-server.ts'
import { vscodeHost } from './host.ts'

const none = { use: 'none' } as const

describeConformance(
  'the VS Code host, over a fake of the editor',
  overHost(({ fileSystem, storage, answers }) => {
    const language = nodeLanguage({ fileSystem, search: nodeSearch({ roots: fileSystem.roots }) })
    const host = vscodeHost(fakeVscode(fileSystem.roots, { answers, language }).module, {
      storage,
      sandbox: none,
    })
    const close = async (): Promise<void> => {
      await Promise.all([host.close(), language.close()])
    }
    return { ...host, close }
  }),
  3,
)

async function editor(
  options: Parameters<typeof fakeVscode>[1] = {},
): Promise<{ root: string; vscode: FakeVscode; host: Host }> {
  const { root, storage } = await machine()
  const vscode = fakeVscode([root], options)
  return {
    root,
    vscode,
    host: vscodeHost(vscode.module, { storage: { folder: storage }, sandbox: none }),
  }
}

function call(host: Host, name: string, args: Record<string, unknown>): Promise<ExecuteResult> {
  const permissions = { rules: allow('Read', 'Edit') }
  const options = { tools: createTools(host), permissions, fileSystem: host.fileSystem, run: 'run' }
  return execute({ id: '1', name, args }, options)
}

test('reads unsaved text, under every name of the file', async () => {
  const { root, vscode, host } = await editor()
  writeFileSync(join(root, 'a.txt'), 'on the disk\n')
  symlinkSync('a.txt', join(root, 'link.txt'))
  const document = vscode.open(join(root, 'link.txt'))
  for (const text of ['as shown 1\n', 'as shown 2\n']) {
    document.type(text)
    expect(await call(host, 'Read', { file_path: 'a.txt' })).toMatchObject({
      result: { content: `     1\t${text.trimEnd()}` },
    })
  }
})

test('reads a part of unsaved text', async () => {
  const { root, vscode, host } = await editor()
  writeFileSync(join(root, 'a.txt'), 'x\n')
  vscode.open(join(root, 'a.txt')).type('one\ntwo\nthree\n')
  const file = await host.files.open('a.txt')
  const pieces: string[] = []
  for (const range of [{ start: 4, end: 7 }, { start: 99 }, { end: 3 }])
    for await (const piece of file.read(range)) pieces.push(Buffer.from(piece).toString())
  await file.close()
  expect(pieces).toEqual(['two', 'one'])
  expect(file.facts.size).toBe(14)
})

test.each([
  ['Edit', { old_string: 'mine', new_string: 'yours' }],
  ['Write', { content: 'all new\n' }],
])(
  'does not replace a file with unsaved changes with %s until they are saved',
  async (name, args) => {
    const { root, vscode, host } = await editor()
    const path = join(root, 'a.txt')
    writeFileSync(path, 'on the disk\n')
    const document = vscode.open(path)
    document.type('mine\n')
    await call(host, 'Read', { file_path: path })
    expect(await call(host, name, { file_path: path, ...args })).toMatchObject({
      failure: { error_type: 'execution_failed', details: { code: 'unsaved', path } },
    })
    expect(readFileSync(path, 'utf8')).toBe('on the disk\n')

    document.save()
    expect(await call(host, name, { file_path: path, ...args })).toMatchObject({
      status: 'success',
    })
    expect(readFileSync(path, 'utf8')).toBe(name === 'Edit' ? 'yours\n' : 'all new\n')
  },
)

test('does not remove a file with unsaved changes', async () => {
  const { root, vscode, host } = await editor()
  const path = join(root, 'a.txt')
  writeFileSync(path, 'on the disk\n')
  const before = (await host.files.stat(path))!
  vscode.open(path).type('mine\n')
  await expect(host.files.remove(path, { before })).rejects.toMatchObject({
    details: { code: 'unsaved' },
  })
  expect(readFileSync(path, 'utf8')).toBe('on the disk\n')
})

const questions = [
  { question: 'Which?', header: 'Which', options: [], multiSelect: false },
  { question: 'And?', header: 'And', options: [], multiSelect: true },
]

test('closes a question when its call is aborted', async () => {
  const { vscode, host } = await editor({ away: true })
  const stop = new AbortController()
  const asking = host.ask!(questions, stop.signal)
  await vi.waitFor(() => expect(vscode.shown()).toBe(1))
  stop.abort(new Error('stopped'))
  await expect(asking).rejects.toThrow('stopped')
  expect(vscode.shown()).toBe(0)
  await expect(host.ask!(questions, context(stop.signal).signal)).rejects.toThrow('stopped')
})

test('Escape at one question leaves all unanswered', async () => {
  const { host } = await editor({ answers: { 'Which?': 'this' } })
  await expect(host.ask!(questions, context().signal)).rejects.toThrow('declined to answer')
})

test('uses the open folders as roots', async () => {
  const { root, storage } = await machine()
  const folders = ['one', 'two'].map((name) => join(root, name))
  for (const folder of folders) mkdirSync(folder)
  const options = { storage: { folder: storage }, sandbox: none }
  const { fileSystem } = vscodeHost(fakeVscode(folders).module, options)
  expect([fileSystem.cwd, fileSystem.roots]).toEqual([folders[0], folders])
  expect(() => vscodeHost(fakeVscode([]).module, options)).toThrow(
    /The workspace has no folder\. Open a local folder/,
  )
  const { module } = fakeVscode(folders)
  Object.assign(module.workspace.workspaceFolders![1]!.uri, { scheme: 'vscode-vfs' })
  expect(() => vscodeHost(module, options)).toThrow(/is not local \(vscode-vfs:\)/)
})
