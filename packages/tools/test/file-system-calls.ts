import type { FileHandle } from 'node:fs/promises'
import { nodeFileSystemCalls, type FileSystemCalls } from '../src/node/files/file-system-calls.ts'

/** File system calls with a hook before each of them, including those on file handles. */
export function watchedCalls(before: (step: string) => void): FileSystemCalls {
  return watched(nodeFileSystemCalls, before, (name, result) =>
    name === 'open' ? watched(result as FileHandle, before) : result,
  )
}

function watched<Target extends object>(
  target: Target,
  before: (step: string) => void,
  after: (name: string, result: unknown) => unknown = (_name, result) => result,
): Target {
  return new Proxy(target, {
    get(_target, name) {
      const value: unknown = Reflect.get(target, name, target)
      if (typeof value !== 'function') return value
      return async (...args: unknown[]) => {
        // Close the file even if the hook fails.
        if (name === 'close') await Reflect.apply(value, target, args)
        before(String(name))
        if (name === 'close') return undefined
        return after(String(name), await Reflect.apply(value, target, args))
      }
    },
  })
}

/** File system calls that do not report the path of a descriptor, as on macOS. */
export const withoutDescriptorPaths: FileSystemCalls = {
  ...nodeFileSystemCalls,
  readlink: ((path: string) =>
    path.startsWith('/proc/')
      ? Promise.reject(Object.assign(new Error('no /proc'), { code: 'ENOENT' }))
      : nodeFileSystemCalls.readlink(path)) as FileSystemCalls['readlink'],
}
