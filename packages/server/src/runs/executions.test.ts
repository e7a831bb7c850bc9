import type { Workspace } from '@toolglot/workspace'
import { expect, test } from 'vitest'
import { createExecutions } from './executions.ts'
import type { Folders } from './folders.ts'

test('what fails unexpectedly is thrown to whoever asked, and is not kept', async () => {
  const failure = new Error('The disk is on fire.')
  const fakeFolders = {
    open: async () => ({}) as Workspace,
    useOwnTools: () => Promise.reject(failure),
    useTools: () => Promise.reject(failure),
  } as unknown as Folders
  const executions = createExecutions({
    folders: fakeFolders,
    isAttended: () => true,
    onChange: () => {},
  })
  const { signal } = new AbortController()
  for (const tool of ['Read', 'mcp__a__b'])
    await expect(
      executions.start({ tool, args: {}, folder: undefined, run: undefined, signal }),
    ).rejects.toBe(failure)
  expect(executions.waiting()).toEqual([])
  await executions.close()
})
