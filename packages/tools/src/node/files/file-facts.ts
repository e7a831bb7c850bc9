import type { BigIntStats } from 'node:fs'
import type { FileFacts } from '../../host/files.ts'

/** Converts `stat` results to `FileFacts`. */
export function factsOf(stats: BigIntStats, path: string): FileFacts {
  return {
    path,
    kind: kindOf(stats),
    id: `${stats.dev}:${stats.ino}`,
    size: Number(stats.size),
    mtimeNs: stats.mtimeNs,
    mode: Number(stats.mode) & 0o7777,
    owner: { user: Number(stats.uid), group: Number(stats.gid) },
  }
}

function kindOf(stats: BigIntStats): FileFacts['kind'] {
  if (stats.isFile()) return 'file'
  if (stats.isDirectory()) return 'folder'
  if (stats.isFIFO()) return 'pipe'
  return stats.isSocket() ? 'socket' : 'device'
}
