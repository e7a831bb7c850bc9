import { posix } from 'node:path'
import { WORKSPACE } from './workspace.mjs'

/** The traced system calls. */
export const CALLS =
  'execve,open,openat,creat,connect,unlink,unlinkat,rename,renameat,renameat2,mkdir,mkdirat,rmdir,symlink,symlinkat,link,linkat,truncate,chmod,fchmodat,chown,fchownat,mknod,mknodat,chdir,fchdir,clone,clone3,fork,vfork'

/** The shell that runs the text, as opposed to shells that it starts. */
const SHELL = 'the shell'

/** A process, and a child that it created. */
const MADE =
  /^(\d+) +(?:(?:clone|clone3|fork|vfork)\(|<\.\.\. (?:clone|clone3|fork|vfork) resumed>).* = (\d+)$/gm

/** Calls whose first or second string is the path they change. */
const CHANGES =
  /^(?:creat|unlink|unlinkat|rename|renameat|renameat2|mkdir|mkdirat|rmdir|symlink|symlinkat|link|linkat|truncate|chmod|fchmodat|chown|fchownat|mknod|mknodat)$/

/**
 * The programs that were started, the files that were read and written, by their real paths, the
 * folders that the shell itself listed to expand patterns, and the commands that it ran, with all
 * their words.
 */
export function readTrace(traced) {
  const commands = []
  /** The program that each process runs. */
  const images = new Map()
  const [started, read, written, listed, connected] = Array.from({ length: 5 }, () => new Set())
  const folders = new Map()
  const unfinished = new Map()
  // A child may be traced before the call that created it returns.
  const parents = new Map([...traced.matchAll(MADE)].map(([, parent, child]) => [child, parent]))
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
    commands,
    started: [...started],
    read: [...read],
    written: [...written],
    listed: [...listed],
    connected: [...connected],
  }

  function take(process, text) {
    const [, call, rest] = /^(\w+)\((.*)$/s.exec(text) ?? []
    if (!call) return
    const failed = /\)\s+= -1 /.test(rest)
    if (call === 'connect' && /AF_INET/.test(rest)) connected.add(rest.slice(0, 80))
    if (failed) return
    const texts = [...rest.matchAll(/"((?:[^"\\]|\\.)*)"/g)].map(([, each]) => unescaped(each))
    if (!folders.has(process)) {
      folders.set(process, folders.get(parents.get(process)) ?? WORKSPACE)
      images.set(process, images.get(parents.get(process)))
    }
    const folder = folders.get(process)
    const at = /^AT_FDCWD<([^>]*)>|^\d+<([^>]*)>/.exec(rest)
    const full = (path) => posix.resolve(at?.[1] ?? at?.[2] ?? folder, path)
    if (call === 'chdir') folders.set(process, full(texts[0] ?? '.'))
    else if (call === 'fchdir') folders.set(process, at?.[2] ?? folder)
    else if (call === 'execve') {
      started.add(texts[0])
      if (images.get(process) === SHELL) commands.push(texts.slice(1))
      // The first program is the shell. Rarely, strace does not report the parent of a process.
      images.set(process, started.size === 1 && commands.length === 0 ? SHELL : texts[0])
    } else if (call === 'open' || call === 'openat') {
      const real = /= \d+<([^>]*)>/.exec(rest)?.[1] ?? full(texts[0] ?? '')
      const flags = rest.slice(rest.lastIndexOf('"'))
      ;(/O_WRONLY|O_RDWR|O_CREAT|O_TRUNC/.test(flags) ? written : read).add(real)
      if (flags.includes('O_DIRECTORY') && images.get(process) === SHELL) listed.add(real)
    } else if (CHANGES.test(call)) {
      // The target of a link is a string, not a file.
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
