import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { sharedFolderOf } from '../../../../tests/helpers/folder.ts'
import { startCommand } from '../../test/start-command.ts'

const cwd = sharedFolderOf({
  'a.ts': 'export function twice(n: number): number { return n * 2 }\n',
  'b.own': 'b\n',
})
const env = {
  HOME: sharedFolderOf(),
  PATH: process.env['PATH'] ?? '',
}
const fake = '../../../tools/test/fixtures/fake-language-server.mjs'

const ask = (args: object) =>
  startCommand(['exec', 'LSP', JSON.stringify(args), '--cwd', cwd], { env })

test('queries a language server about a file, with an absolute or a relative path', async () => {
  const expected = { code: 0, output: 'function twice 1:17\n' }
  expect(await ask({ operation: 'documentSymbol', filePath: 'a.ts' })).toMatchObject(expected)
  expect(await ask({ operation: 'documentSymbol', file_path: 'a.ts' })).toMatchObject(expected)
})

test("runs a server in the folder's settings only if the folder is trusted", async () => {
  const command = [process.execPath, fileURLToPath(new URL(fake, import.meta.url)), 'fine']
  const languageServers = [{ name: 'own', command, endings: ['.own'] }]
  mkdirSync(join(cwd, '.toolglot'))
  writeFileSync(join(cwd, '.toolglot/settings.json'), JSON.stringify({ languageServers }))
  const hover = { operation: 'hover', filePath: 'b.own', line: 1, character: 1 }
  const before = await ask(hover)
  expect([before.code, before.errors]).toEqual([
    1,
    expect.stringContaining('no language server for .own files'),
  ])

  const trust = await startCommand(['trust', cwd, '--yes'], { env })
  expect(trust.output).toContain('languageServers: [{"name":"own"')
  expect(await ask(hover)).toMatchObject({ code: 0, output: 'Known.\n' })
})
