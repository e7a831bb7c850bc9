import { spawnSync } from 'node:child_process'

/**
 * True if a process with this text in its command line is running. Process ids differ in a sandbox,
 * so they can't be used.
 */
export function stillRuns(mark: string): boolean {
  return countRunning(mark) > 0
}

/** The number of running processes with this text in their command line. */
export function countRunning(mark: string): number {
  const { stdout, status } = spawnSync('ps', ['-eo', 'args'], { encoding: 'utf8' })
  if (status !== 0) throw new Error('ps does not work here')
  return stdout.split('\n').filter((line) => line.includes(mark)).length
}
