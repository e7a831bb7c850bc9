import { execFileSync, spawn } from 'node:child_process'
import { chmodSync, linkSync, mkdirSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { dirname } from 'node:path'
import { afterAll } from 'vitest'

/** Creates something unusual at a path where a small text file is expected. */
export type OddFile = (path: string) => void | Promise<void>

/**
 * One unusual file of each kind, by name. A process appends to one of them, next to `folder`, until
 * the tests end.
 */
export function oddFiles(folder: string): Readonly<Record<string, OddFile>> {
  const growing = `${folder}-growing`
  writeFileSync(growing, '', { mode: 0o600 })
  const writer = spawn('sh', ['-c', 'head -c 300000000 /dev/zero >> "$0"; sleep 600', growing])
  afterAll(() => void writer.kill())
  return {
    'a pipe': (path) => void execFileSync('mkfifo', [path]),
    'a folder': (path) => mkdirSync(path),
    'a device': (path) => symlinkSync('/dev/zero', path),
    'a terminal': (path) => symlinkSync('/dev/tty', path),
    'a socket': bindSocket,
    '10 GB of nothing': (path) => {
      writeFileSync(path, '', { mode: 0o600 })
      truncateSync(path, 10e9)
    },
    'a link to itself': (path) => symlinkSync(path, path),
    'a link to nothing': (path) => symlinkSync(`${path}-none`, path),
    'no permission': (path) => {
      writeFileSync(path, '{}')
      chmodSync(path, 0)
    },
    'a file without a size': (path) => symlinkSync('/proc/kallsyms', path),
    'a growing file': (path) => linkSync(growing, path),
    'not UTF-8': (path) => writeFileSync(path, Buffer.from([0xff, 0xfe, 0x80, 0]), { mode: 0o600 }),
  }
}

/**
 * The path of a socket is limited to about 100 characters, so it is given relative to its folder.
 */
async function bindSocket(path: string): Promise<void> {
  const before = process.cwd()
  process.chdir(dirname(path))
  const server = createServer()
  try {
    await new Promise<void>((resolve) => server.listen('s', resolve))
    linkSync('s', path)
  } finally {
    process.chdir(before)
  }
  afterAll(() => void server.close())
}
