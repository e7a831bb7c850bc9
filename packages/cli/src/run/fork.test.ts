import { expect, test } from 'vitest'
import { memoryJournal, type RunSummary } from '@toolglot/agent/journal'
import { type ForkSetup, restoredFiles } from './fork.ts'

/** A run with a call in turn 0 and one in turn 1, and what its calls have changed. */
async function setupWith(
  changes: readonly { readonly path: string; readonly call?: string }[],
): Promise<{ setup: ForkSetup; undone: string[]; source: RunSummary }> {
  const journal = memoryJournal()
  const turn = (at: number): object => ({
    segments: [
      { type: 'call', span: [0, 1], call: { id: `turn-${at}-0`, name: 'Write', args: {} } },
    ],
  })
  const records = [0, 1].map((at) => ({
    key: `turn/${at}`,
    kind: 'value' as const,
    value: turn(at),
    time: at,
  }))
  await journal.add({ run: 'run-1', records })
  const undone: string[] = []
  const entries = changes.map((change) => ({ before: null, after: '', time: '', ...change }))
  const setup = {
    journal,
    fileSystem: { cwd: '/work/sub', roots: ['/work'] },
    checkpoints: {
      changes: async () => entries,
      undo: async (_: string, { calls }: { calls: ReadonlySet<string> }) => {
        undone.push(...calls)
        return { files: [{ path: '/work/b', status: 'removed' }] }
      },
    },
  } as unknown as ForkSetup
  const [found] = await journal.runs()
  return { setup, undone, source: { ...found!, folder: '/work' } }
}

test('only what was changed in the turn and after it is undone', async () => {
  const { setup, undone, source } = await setupWith([
    { path: '/work/a', call: 'turn-0-0' },
    { path: '/work/b', call: 'turn-1-0' },
  ])
  expect(await restoredFiles(setup, { source, turn: 1 })).toBe(
    'Undone: what run-1 changed in turn 1 and after it.\nremoved    /work/b\n',
  )
  expect(undone).toEqual(['turn-1-0'])
})

test('changes that version 0.1 recorded without their calls stay, and that is reported', async () => {
  const { setup, undone, source } = await setupWith([{ path: '/work/a' }])
  const report = await restoredFiles(setup, { source, turn: 0 })
  expect(report).toMatch(
    /^Nothing to restore: .*\n.*toolglot undo run-1 undoes all its changes\.\n$/,
  )
  expect(undone).toEqual([])
})

test('what the source of a fork changed stays, and that is reported', async () => {
  const { setup, source } = await setupWith([{ path: '/work/b', call: 'turn-1-0' }])
  const fork = { source: { ...source, forkOf: { run: 'run-0', turn: 1 } }, turn: 0 }
  expect(await restoredFiles(setup, fork)).toContain(
    'What run-0 changed before its turn 1 stays as it is.\n',
  )
})
