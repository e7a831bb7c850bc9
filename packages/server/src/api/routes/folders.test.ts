import { openJournal, openWorkspace } from '@toolglot/workspace'
import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { folderOf } from '../../../../../tests/helpers/folder.ts'
import { apiClient } from '../../../test/api-client.ts'
import { listFolders } from './folders.ts'
import { showStatus } from './status.ts'

test('the status contains the version, the folder and the start time', async () => {
  const before = Date.now()
  const { call, folder } = await apiClient({ project: { model: 'x' } })
  const status = await call(showStatus)
  expect(status).toMatchObject({ version: '0.1.0', folder, trust: 'untrusted' })
  expect(status.warnings).toEqual([expect.stringContaining('are not trusted')])
  expect(status.started).toBeGreaterThanOrEqual(before)
  expect(status.uptime).toBeGreaterThanOrEqual(0)
})

test("lists the server's folder, those of recent runs and the trusted ones, and if they still exist", async () => {
  const { call, folder, home, trust } = await apiClient()
  const env = { HOME: home }
  const trusted = folderOf({ '.git/HEAD': '', '.toolglot/settings.json': { model: 'x' } })
  const gone = join(home, 'gone')
  mkdirSync(gone)
  await trust(trusted)
  await trust(gone)
  const ran = folderOf({ '.toolglot/settings.json': { model: 'x' } })
  const { directories } = await openWorkspace(folder, { env })
  const journal = openJournal(directories)
  const value = { cwd: ran, messages: [{ role: 'user', content: 'hello' }] }
  await journal.add({ run: 'one', records: [{ key: 'run', kind: 'value', value, time: 5 }] })
  await journal.close()
  rmSync(gone, { recursive: true })

  expect(await call(listFolders)).toEqual([
    { folder, trust: 'untrusted', isDefault: true },
    { folder: ran, trust: 'untrusted', isDefault: false, lastRun: 5 },
    { folder: trusted, trust: 'trusted', isDefault: false },
    { folder: gone, trust: 'gone', isDefault: false },
  ])
})
