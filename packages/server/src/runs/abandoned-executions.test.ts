import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openWorkspace } from '@toolglot/workspace'
import { expect, onTestFinished, test } from 'vitest'
import { createExecutions, type Executions } from './executions.ts'
import { createFolders } from './folders.ts'

interface Place {
  readonly executions: Executions
  readonly root: string
  readonly home: string
}

async function place(): Promise<Place> {
  const root = realpathSync.native(mkdtempSync(join(tmpdir(), 'toolglot-executions-')))
  const home = join(root, 'home')
  const env = { PATH: process.env['PATH'], HOME: home }
  const folders = createFolders(await openWorkspace(root, { env }), () => {})
  const executions = createExecutions({ folders, isAttended: () => true, onChange: () => {} })
  onTestFinished(async () => {
    await executions.close()
    await folders.close()
    rmSync(root, { recursive: true, force: true })
  })
  return { executions, root, home }
}

const none = { folder: undefined, run: undefined }
const call = { ...none, tool: 'bash', args: { command: 'touch made' } }

test('a request that was given up before it began executes nothing, and asks nobody', async () => {
  const { executions, root } = await place()
  const { result } = await executions.start({ ...call, signal: AbortSignal.abort() })
  expect(result).toMatchObject({ status: 'error' })
  expect(executions.waiting()).toEqual([])
  expect(existsSync(join(root, 'made'))).toBe(false)
})

test('a rule that cannot be saved does not leave an execution without a result', async () => {
  const { executions, root, home } = await place()
  // No file can be written in its place.
  mkdirSync(join(home, '.config/toolglot/settings.json'), { recursive: true })
  const { signal } = new AbortController()
  const { id, pending } = await executions.start({ ...call, signal })
  expect(executions.answer(id, pending!.key, { verdict: 'allow', always: 'user' })).toBe(true)
  const found = await executions.find(id, 20_000, [signal])
  expect(found?.result).toMatchObject({ status: 'error' })
  expect(existsSync(join(root, 'made'))).toBe(false)
})
