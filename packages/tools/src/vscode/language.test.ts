import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { execute, type ExecuteResult } from '@toolglot/agent'
import { nodeFileSystem } from '@toolglot/permissions/node'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTools } from '../create-tools.ts'
import type { Host } from '../host/host.ts'
import { nodeLanguage } from '../node/language.ts'
import { nodeSearch } from '../node/search/search.ts'
import { fakeVscode, type FakeVscode } from '../../test/fake-vscode.ts'
import { sharedFolderOf } from '../../../../tests/helpers/folder.ts'
import { vscodeHost } from './host.ts'

const SHAPES = `export interface Shape { area(): number }
export class Square implements Shape {
  area(): number { return side() ** 2 }
}
function side(): number { return 2 }
export const wrong: string = 1
`

let root: string
let vscode: FakeVscode
let host: Host

let close: () => Promise<unknown>

beforeAll(() => {
  root = sharedFolderOf({
    'tsconfig.json': '{"compilerOptions": {"strict": true, "types": []}}',
    'shapes.ts': SHAPES,
  })
  const fileSystem = nodeFileSystem({ cwd: root })
  const language = nodeLanguage({ fileSystem, search: nodeSearch({ roots: [root] }) })
  vscode = fakeVscode([root], { language })
  const storage = { folder: sharedFolderOf() }
  host = vscodeHost(vscode.module, { storage, sandbox: { use: 'none' } })
  close = () => Promise.all([host.close(), language.close()])
})

afterAll(() => close())

function ask(operation: string, more: object = {}): Promise<ExecuteResult> {
  const args = { operation, filePath: 'shapes.ts', ...more }
  const options = {
    tools: createTools(host),
    permissions: { rules: [] },
    fileSystem: host.fileSystem,
  }
  return execute({ id: '1', name: 'LSP', args }, options)
}

describe('a fake editor with a real language server', () => {
  test('returns diagnostics of a file after it was checked', async () => {
    const found = { severity: 'error', code: '2322', line: 6 }
    for (const time of ['opened for it', 'open already'])
      expect([time, await ask('diagnostics')]).toMatchObject([
        time,
        { result: { server: 'the editor', diagnostics: [found] } },
      ])
  })

  test('returns implementations, callers and callees', async () => {
    expect(await ask('goToImplementation', { line: 1, character: 18 })).toMatchObject({
      result: { locations: [{ line: 2, character: 14 }] },
    })
    expect(await ask('incomingCalls', { line: 5, character: 10 })).toMatchObject({
      result: { calls: [{ symbol: { name: 'area', kind: 'method' }, places: [{ line: 3 }] }] },
    })
    expect(await ask('outgoingCalls', { line: 3, character: 3 })).toMatchObject({
      result: { calls: [{ symbol: { name: 'side', kind: 'function' }, places: [{ line: 3 }] }] },
    })
  })

  test('uses the unsaved text', async () => {
    const document = vscode.open(join(root, 'shapes.ts'))
    document.type(`// above\n${SHAPES}`)
    expect(await ask('goToDefinition', { line: 4, character: 27 })).toMatchObject({
      result: { locations: [{ line: 6, character: 10 }] },
    })
    document.type(SHAPES)
  })

  test('finds no symbols without a matching extension', async () => {
    expect(await ask('workspaceSymbol', { query: 'area' })).toMatchObject({
      result: { symbols: [], total: 0 },
    })
  })
})

const { signal } = new AbortController()

test('marks the answer as loading if the editor shows another text', async () => {
  const path = join(root, 'shapes.ts')
  const place = { path, text: 'not this', position: { line: 4, character: 9 } }
  expect(await host.language!.ask('definition', place, { signal })).toMatchObject({
    value: [{ path, span: { start: { line: 4, character: 9 } } }],
    loading: true,
  })
})

test('reports a file that the editor cannot open', async () => {
  const path = join(root, 'folder.ts')
  mkdirSync(path)
  await expect(host.language!.ask('hover', { path, text: '' }, { signal })).rejects.toMatchObject({
    errorType: 'execution_failed',
    details: { code: 'not_opened', path },
  })
})

test('stops waiting when aborted', async () => {
  const path = join(root, 'shapes.ts')
  const stop = new AbortController()
  const place = { path, text: 'not this' }
  const asking = host.language!.ask('hover', place, { signal: stop.signal })
  stop.abort(new Error('stopped'))
  await expect(asking).rejects.toThrow()
})

test('returns globs by file extension', async () => {
  expect(await host.language!.globsFor('/a/b.test.ts')).toEqual(['*.ts'])
  expect(await host.language!.globsFor('/a/Dockerfile')).toEqual(['Dockerfile'])
})
