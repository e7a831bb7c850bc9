import { spawnSync } from 'node:child_process'

/** Whether a process with this text in its command line is running. Process ids in a sandbox differ, so they are no use. */
export function stillRuns(mark: string): boolean {
  return countRunning(mark) > 0
}

/** How many processes with this text in their command line are running. */
export function countRunning(mark: string): number {
  const { stdout, status } = spawnSync('ps', ['-eo', 'args'], { encoding: 'utf8' })
  if (status !== 0) throw new Error('ps does not work here')
  return stdout.split('\n').filter((line) => line.includes(mark)).length
}
