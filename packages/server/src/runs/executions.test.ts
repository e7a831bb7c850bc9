import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { openWorkspace, type Workspace } from '@toolglot/workspace'
import fc from 'fast-check'
import { expect, onTestFinished, test } from 'vitest'
import { folderOf } from '../../../../tests/helpers/folder.ts'
import { approvalCases, ApprovalLog } from '../../../agent/test/approval-law.ts'
import { createExecutions, type Executions } from './executions.ts'
import type { Execution } from './live-execution.ts'
import { createFolders, type Folders } from './folders.ts'

interface Place {
  readonly executions: Executions
  readonly errors: readonly unknown[]
  readonly root: string
  /** The folder of the user's own settings. */
  readonly settings: string
}

/** Creates executions in a new folder. The effect of closing their tools can be replaced. */
async function place({
  close = () => Promise.resolve(),
  onChange = () => {},
  isAttended = true,
  permissions,
}: {
  close?: () => Promise<void>
  onChange?: (executions: Executions) => void
  isAttended?: boolean
  permissions?: object
} = {}): Promise<Place> {
  const SETTINGS = '.config/toolglot/settings.json'
  const [root, home] = [folderOf(), folderOf(permissions && { [SETTINGS]: { permissions } })]
  const settings = join(home, SETTINGS)
  const env = { PATH: process.env['PATH'], HOME: home }
  const folders = createFolders(await openWorkspace(root, { env }), () => {})
  const errors: unknown[] = []
  const executions: Executions = createExecutions({
    folders: {
      ...folders,
      async useOwnTools(...given) {
        const result = await folders.useOwnTools(...given)
        await close()
        return result
      },
    },
    isAttended: () => isAttended,
    onChange: () => onChange(executions),
    onError: (error) => errors.push(error),
  })
  onTestFinished(async () => {
    await executions.close()
    await folders.close()
  })
  return { executions, errors, root, settings }
}

const { signal } = new AbortController()
const call = {
  tool: 'bash',
  args: { command: 'touch made' },
  folder: undefined,
  run: undefined,
  signal,
}
const LONG = 20_000

test('an unexpected failure is thrown to the caller, and is not kept', async () => {
  const failure = new Error('The disk is on fire.')
  const errors: unknown[] = []
  const fakeFolders = {
    open: async () => ({}) as Workspace,
    useOwnTools: () => Promise.reject(failure),
    useTools: () => Promise.reject(failure),
  } as unknown as Folders
  const executions = createExecutions({
    folders: fakeFolders,
    isAttended: () => true,
    onChange: () => {},
    onError: (error) => errors.push(error),
  })
  for (const tool of ['Read', 'mcp__a__b'])
    await expect(executions.start({ ...call, tool })).rejects.toBe(failure)
  expect(executions.waiting()).toEqual([])
  await executions.close()
  expect(errors).toEqual([])
})

test('a request aborted before it starts executes no call, and asks for no approval', async () => {
  const { executions, root } = await place()
  const { result } = await executions.start({ ...call, signal: AbortSignal.abort() })
  expect(result).toMatchObject({ status: 'error' })
  expect(executions.waiting()).toEqual([])
  expect(existsSync(join(root, 'made'))).toBe(false)
})

test('a result is available before the tools are closed, and is kept even if closing fails', async () => {
  const broken = new Error('It does not close.')
  let fail = (): void => {}
  const closing = new Promise<void>((_, reject) => (fail = () => reject(broken)))
  // There may be nothing to close yet.
  closing.catch(() => {})
  const { executions, errors, root } = await place({ close: () => closing })
  const { id, pending } = await executions.start(call)
  await executions.answer(id, pending!.key, { verdict: 'allow' })
  const ended = await executions.find(id, LONG, [])
  expect(ended?.result).toMatchObject({ status: 'success' })
  fail()
  await executions.close()
  expect(errors).toEqual([broken])
  expect((await executions.find(id, 0, []))?.result).toMatchObject({ status: 'success' })
  expect(existsSync(join(root, 'made'))).toBe(true)
})

test('a waiting caller gets each change, and no earlier one', async () => {
  const { executions } = await place()
  const { id, pending } = await executions.start(call)
  const stateOf = (execution: Execution | undefined): string =>
    execution?.result ? 'ended' : execution?.pending ? 'waiting' : 'running'
  const states: string[] = []
  const follow = async (): Promise<void> =>
    void states.push(stateOf(await executions.find(id, LONG, [])))
  const answered = follow()
  await setImmediate()
  expect(states).toEqual([])
  await executions.answer(id, pending!.key, { verdict: 'allow' })
  await answered
  await follow()
  await follow()
  expect(states).toEqual(['running', 'ended', 'ended'])
})

test('the first caller does not keep other callers from getting the result', async () => {
  const found: Promise<Execution | undefined>[] = []
  const { executions } = await place({
    onChange(all) {
      // Runs before the request itself is answered.
      if (found.length === 0) found.push(all.find(all.waiting()[0]!.run, 600_000, []))
    },
  })
  const { id } = await executions.start(call)
  executions.stop(id)
  expect(await found[0]).toMatchObject({ id, pending: undefined })
})

test('the first answer wins, and only its rule is stored', async () => {
  const { executions, root, settings } = await place()
  const always = { verdict: 'allow', always: 'user' } as const
  const deny = { verdict: 'deny' } as const
  const answerBoth = async (...both: (typeof always | typeof deny)[]): Promise<unknown[]> => {
    const { id, pending } = await executions.start(call)
    const answers = await Promise.all(both.map((each) => executions.answer(id, pending!.key, each)))
    const { result } = (await executions.find(id, LONG, []))!
    return [...answers, result?.status]
  }
  expect(await answerBoth(deny, always)).toEqual([true, false, 'error'])
  expect([existsSync(settings), existsSync(join(root, 'made'))]).toEqual([false, false])
  expect(await answerBoth(always, deny)).toEqual([true, false, 'success'])
  expect(readFileSync(settings, 'utf8')).toContain('touch made')
})

test('a rule that cannot be stored is not an answer: the next answer is used', async () => {
  const { executions, root, settings } = await place()
  // A folder in place of the settings file makes it unwritable.
  mkdirSync(settings, { recursive: true })
  const { id, pending } = await executions.start(call)
  const { key } = pending!
  const first = executions.answer(id, key, { verdict: 'allow', always: 'user' })
  const second = executions.answer(id, key, { verdict: 'deny' })
  await expect(first).rejects.toThrow('Cannot change permissions.allow')
  expect(await second).toBe(true)
  expect((await executions.find(id, LONG, []))?.result).toMatchObject({ status: 'error' })
  expect(existsSync(join(root, 'made'))).toBe(false)
})

test('no rule is accepted for a run that does not exist', async () => {
  const { executions } = await place()
  for (const always of ['run', true] as const) {
    const { id, pending } = await executions.start({ ...call, run: 'one' })
    await expect(
      executions.answer(id, pending!.key, { verdict: 'allow', always }),
    ).rejects.toMatchObject({ code: 'unprocessable' })
    expect(executions.waiting()).toEqual([pending])
    executions.stop(id)
  }
})

test('law: a call is executed only if a person, a rule or the default for reading allows it', async () => {
  const nameOf = { look: 'Read', put: 'Write', drop: 'TodoWrite' }
  await fc.assert(
    fc.asyncProperty(approvalCases({ hasSwitches: false }), async (drawn) => {
      // No canonical tool is dangerous, and a rule against reading also forbids writing.
      const calls = drawn.calls.filter((name) => name !== 'drop')
      const [ask, deny] = [drawn.rules.ask, drawn.rules.deny].map((names) =>
        names.filter((name) => name !== 'look'),
      )
      const given = { ...drawn, calls, rules: { allow: drawn.rules.allow, ask: ask!, deny: deny! } }
      const log = new ApprovalLog(given)
      const permissions = Object.fromEntries(
        Object.entries(given.rules).map(([verdict, names]) => [
          verdict,
          names.map((name) => nameOf[name]),
        ]),
      )
      const isAttended = given.answers !== undefined
      const { executions, root } = await place({ isAttended, permissions })
      writeFileSync(join(root, 'a.txt'), 'text')
      for (const [at, name] of given.calls.entries()) {
        const file_path = join(root, name === 'look' ? 'a.txt' : `new-${at}.txt`)
        const args = name === 'look' ? { file_path } : { file_path, content: 'text' }
        const started = await executions.start({ ...call, tool: nameOf[name], args })
        let execution: Execution | undefined = started
        const { id, pending } = started
        if (pending) {
          const answer = log.answer(at)
          await executions.answer(id, pending.key, {
            verdict: answer === 'deny' ? 'deny' : 'allow',
            ...(answer === 'always' && { always: 'user' as const }),
          })
        }
        while (!execution?.result) execution = await executions.find(id, LONG, [])
        if (execution.result.status === 'success') log.ran.push(at)
      }
      log.check(given)
    }),
    { numRuns: Number(process.env['LAWS_RUNS'] ?? 25) },
  )
})
