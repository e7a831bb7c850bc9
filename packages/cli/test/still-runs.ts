import { spawnSync } from 'node:child_process'

/** Whether a process with this among its words runs. Ids of a sandbox are not those of the machine, so it goes by words. */
export function stillRuns(mark: string): boolean {
  const { stdout, status } = spawnSync('ps', ['-eo', 'args'], { encoding: 'utf8' })
  if (status !== 0) throw new Error('ps does not work here')
  return stdout.includes(mark)
}
