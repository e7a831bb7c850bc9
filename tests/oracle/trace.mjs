import { spawnSync } from 'node:child_process'
import { readFileSync, rmSync } from 'node:fs'
import { posix } from 'node:path'
import { HOME, SECRETS, WORKSPACE } from './workspace.mjs'

const CALLS =
  'execve,open,openat,creat,connect,unlink,unlinkat,rename,renameat,renameat2,mkdir,mkdirat,rmdir,symlink,symlinkat,link,linkat,truncate,chmod,fchmodat,chown,fchownat,mknod,mknodat,chdir,fchdir,clone,clone3,fork,vfork'

/** Runs a shell text and returns what the kernel saw it do, and what it printed. */
export function observe(text, seconds = 4) {
  const log = `/tmp/trace-${process.pid}`
  const ran = spawnSync(
    'strace',
    [
      ...[
        '-f',
        '-y',
        '-qq',
        '--seccomp-bpf',
        '-s',
        '4096',
        '-e',
        `trace=${CALLS}`,
        '-e',
        'signal=none',
        '-o',
        log,
      ],
      ...[
        'timeout',
        '-s',
        'KILL',
        String(seconds),
        '/bin/bash',
        '--noprofile',
        '--norc',
        '-c',
        text,
      ],
    ],
    {
      cwd: WORKSPACE,
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: seconds * 3000,
      maxBuffer: 1 << 24,
      env: {
        PATH: '/usr/local/bin:/usr/bin:/bin',
        HOME,
        LANG: 'C.UTF-8',
        SECRET_VARIABLE: SECRETS.environment,
      },
    },
  )
  const traced = readFileSync(log, 'utf8')
  rmSync(log)
  return { ...readTrace(traced), printed: String(ran.stdout) + String(ran.stderr) }
}

/** Calls that name the path they change by their first or second text. */
const CHANGES =
  /^(?:creat|unlink|unlinkat|rename|renameat|renameat2|mkdir|mkdirat|rmdir|symlink|symlinkat|link|linkat|truncate|chmod|fchmodat|chown|fchownat|mknod|mknodat)$/

/** The programs that were started, and the files that were read and written, by their real paths. */
export function readTrace(traced) {
  const [started, read, written, connected] = [new Set(), new Set(), new Set(), new Set()]
  const folders = new Map()
  const unfinished = new Map()
  for (const line of traced.split('\n')) {
    const [, process, rest] = /^(\d+)\s+(.*)$/.exec(line) ?? []
    if (!rest) continue
    const begun = /^(.*) <unfinished \.\.\.>$/.exec(rest)
    if (begun) {
      unfinished.set(process, begun[1])
      continue
    }
    const resumed = /^<\.\.\. \w+ resumed>(.*)$/.exec(rest)
    take(process, resumed ? (unfinished.get(process) ?? '') + resumed[1] : rest)
  }
  return {
    started: [...started],
    read: [...read],
    written: [...written],
    connected: [...connected],
  }

  function take(process, text) {
    const [, call, rest] = /^(\w+)\((.*)$/s.exec(text) ?? []
    if (!call) return
    const failed = /\)\s+= -1 /.test(rest)
    if (call === 'connect' && /AF_INET/.test(rest)) connected.add(rest.slice(0, 80))
    if (failed) return
    const texts = [...rest.matchAll(/"((?:[^"\\]|\\.)*)"/g)].map(([, each]) => unescaped(each))
    const folder = folders.get(process) ?? WORKSPACE
    const at = /^AT_FDCWD<([^>]*)>|^\d+<([^>]*)>/.exec(rest)
    const full = (path) => posix.resolve(at?.[1] ?? at?.[2] ?? folder, path)
    if (/^(?:clone|clone3|fork|vfork)$/.test(call)) {
      const child = /= (\d+)$/.exec(rest.trim())?.[1]
      if (child) folders.set(child, folder)
    } else if (call === 'chdir') folders.set(process, full(texts[0] ?? '.'))
    else if (call === 'fchdir') folders.set(process, at?.[2] ?? folder)
    else if (call === 'execve') started.add(texts[0])
    else if (call === 'open' || call === 'openat') {
      const real = /= \d+<([^>]*)>/.exec(rest)?.[1] ?? full(texts[0] ?? '')
      const writes = /O_WRONLY|O_RDWR|O_CREAT|O_TRUNC/.test(rest.slice(rest.lastIndexOf('"')))
      ;(writes ? written : read).add(real)
    } else if (CHANGES.test(call)) {
      // The target of a link is a text, not a file.
      const paths = call.startsWith('sym') ? texts.slice(1) : texts
      for (const path of paths) written.add(full(path))
    }
  }
}

const unescaped = (text) =>
  text.replace(/\\([0-7]{1,3}|.)/g, (_, code) =>
    /^[0-7]/.test(code)
      ? String.fromCharCode(parseInt(code, 8))
      : ({ n: '\n', t: '\t' }[code] ?? code),
  )
