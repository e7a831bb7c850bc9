import { spawnSync } from 'node:child_process'

/** Whether a process with this text in its command line is running. Process ids in a sandbox differ, so they are no use. */
export function stillRuns(mark: string): boolean {
  const { stdout, status } = spawnSync('ps', ['-eo', 'args'], { encoding: 'utf8' })
  if (status !== 0) throw new Error('ps does not work here')
  return stdout.includes(mark)
}
