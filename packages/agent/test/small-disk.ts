import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmdirSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Mounts a real file system of this size in memory. Undefined if mounting is not possible. */
export function smallDisk(kilobytes: number): SmallDisk | undefined {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return undefined
  const folder = mkdtempSync(join(tmpdir(), 'toolglot-disk-'))
  const mount = (...args: string[]): boolean => spawnSync('mount', args).status === 0
  if (!mount('-t', 'tmpfs', '-o', `size=${kilobytes}k,mode=700`, 'tmpfs', folder)) {
    rmdirSync(folder)
    return undefined
  }
  const filler = join(folder, 'filler')
  return {
    folder,
    fill(left) {
      const bytes = Buffer.alloc(4096)
      try {
        for (;;) writeFileSync(filler, bytes, { flag: 'a' })
      } catch {
        // The disk is full.
      }
      truncateSync(filler, Math.max(0, statSync(filler).size - left * 1024))
    },
    free: () => rmSync(filler, { force: true }),
    readOnly: (on) => void mount('-o', `remount,${on ? 'ro' : 'rw'}`, folder),
    remove() {
      spawnSync('umount', ['-l', folder])
      rmdirSync(folder)
    },
  }
}

/** A small mounted disk. */
export interface SmallDisk {
  readonly folder: string
  /** Fills the disk until only this many kilobytes are left. */
  fill(left: number): void
  /** Frees the space again. */
  free(): void
  readOnly(on: boolean): void
  remove(): void
}
