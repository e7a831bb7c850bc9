import { getEventListeners } from 'node:events'
import { setImmediate as turn } from 'node:timers/promises'
import { openJournal, openWorkspace } from '@toolglot/workspace'
import { expect, onTestFinished, test } from 'vitest'
import { folderOf } from '../../../../tests/helpers/folder.ts'
import { executeTool } from '../api/routes/execute.ts'
import type { ApiServices } from '../api/services.ts'
import { HttpError } from '../security/http-error.ts'
import { type Approvals, createApprovals } from './approvals.ts'
import { createExecutions, type Executions } from './executions.ts'
import { createFolders } from './folders.ts'
import { isLong } from '../../../../tests/helpers/size.ts'

interface Place {
  readonly approvals: Approvals
  readonly executions: Executions
  /** Executes a command that needs approval. Resolves with the status of the response. */
  readonly execute: () => Promise<number>
  /** Advances the clock, in milliseconds. */
  readonly pass: (time: number) => void
}

async function place(): Promise<Place> {
  const env = { PATH: process.env['PATH'], HOME: folderOf() }
  const folder = folderOf()
  const workspace = await openWorkspace(folder, { env })
  const journal = openJournal(workspace.directories)
  const folders = createFolders(workspace, () => {})
  const errors: unknown[] = []
  let time = 0
  const approvals = createApprovals({
    journal,
    executions: () => executions,
    onAnswer: () => {},
    onError: () => {},
    now: () => time,
  })
  const executions = createExecutions({
    folders,
    isAttended: () => approvals.isAttended(),
    onChange: () => approvals.changed(),
    onError: (error) => errors.push(error),
  })
  onTestFinished(async () => {
    await executions.close()
    await folders.close()
    await journal.close()
    expect(errors).toEqual([])
  })
  return {
    approvals,
    executions,
    pass: (more) => void (time += more),
    async execute() {
      // The endpoint uses only this service.
      const services = { executions } as ApiServices
      const body = { tool_name: 'bash', arguments: { command: 'touch x' } }
      try {
        const answer = await executeTool.handle(
          { parameters: {}, body },
          {
            services,
            principal: { name: 'main', scopes: ['all'], by: 'bearer' },
            headers: new Headers(),
            signal: new AbortController().signal,
            isAllowed: () => true,
          },
        )
        return (answer as Response).status
      } catch (error) {
        if (error instanceof HttpError) return error.status
        throw error
      }
    },
  }
}

test('an approver is present while reading the pending requests, and for 30 seconds afterwards', async () => {
  const { approvals, execute, pass } = await place()
  expect(await execute()).toBe(403)
  const leave = new AbortController()
  const stream = approvals.follow(leave.signal)
  expect((await stream.next()).value).toEqual([])
  pass(3_600_000)
  expect(await execute()).toBe(202)
  expect((await stream.next()).value).toMatchObject([{ type: 'approval', tool: 'bash' }])
  leave.abort()
  expect((await stream.next()).done).toBe(true)
  pass(29_999)
  expect(await execute()).toBe(202)
  pass(1)
  expect(await execute()).toBe(403)
})

test('if one of two readers leaves, an approver is still present', async () => {
  const { approvals, execute, pass } = await place()
  const [first, second] = [new AbortController(), new AbortController()]
  const streams = [approvals.follow(first.signal), approvals.follow(second.signal)]
  for (const stream of streams) await stream.next()
  first.abort()
  expect((await streams[0]!.next()).done).toBe(true)
  pass(30_000)
  expect(await execute()).toBe(202)
  second.abort()
  expect((await streams[1]!.next()).done).toBe(true)
  pass(30_000)
  expect(await execute()).toBe(403)
})

test('a stream adds at most one listener to its signal, regardless of the number of changes', async () => {
  const { approvals, execute } = await place()
  const leave = new AbortController()
  const { signal } = leave
  const stream = approvals.follow(signal)
  await stream.next()
  for (let at = 0; at < (isLong ? 20 : 4); at++) {
    const next = stream.next()
    await turn()
    expect(getEventListeners(signal, 'abort').length).toBeLessThanOrEqual(1)
    expect(await execute()).toBe(202)
    expect((await next).value).toHaveLength(at + 1)
  }
  leave.abort()
  expect((await stream.next()).done).toBe(true)
  expect(getEventListeners(signal, 'abort')).toEqual([])
})
