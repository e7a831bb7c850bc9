import { memoryJournal, type RunSummary } from '@toolglot/agent/journal'
import type { ForkSetup } from '../src/run/fork-files.ts'

/** A run with one call in turn 0 and one in turn 1, and the changes made by these calls. */
export async function forkSetup(
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
