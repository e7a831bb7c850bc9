import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { sharedFolderOf } from '../../../../tests/helpers/folder.ts'
import { execute } from '@toolglot/agent'
import { createTools } from '../create-tools.ts'
import { nodeHost } from './host.ts'
import { nodeStorage } from './storage.ts'

const folder = sharedFolderOf()
writeFileSync(join(folder, 'hello.txt'), 'Hello')

test('needs only a folder', async () => {
  const host = nodeHost({ cwd: folder })
  expect(host.fileSystem).toMatchObject({ cwd: folder, roots: [folder] })
  const call = { id: '1', name: 'Read', args: { file_path: 'hello.txt' } }
  const { fileSystem } = host
  const permissions = { rules: [] }
  const result = await execute(call, { tools: createTools(host), permissions, fileSystem })
  expect(result).toMatchObject({ status: 'success', text: expect.stringContaining('Hello') })
  const { folder: stored } = host.storage
  expect(existsSync(stored)).toBe(true)
  await host.close()
  expect(existsSync(stored)).toBe(false)
})

test('starts in the folder of this process by default', async () => {
  const host = nodeHost()
  expect(host.fileSystem.cwd).toBe(process.cwd())
  await host.close()
})

test('keeps a given storage folder', async () => {
  const storage = nodeStorage(join(folder, 'storage'))
  await nodeHost({ cwd: folder, storage }).close()
  expect(existsSync(storage.folder)).toBe(true)
})
