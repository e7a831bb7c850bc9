import { findLibrary } from './find-library.ts'
import { installLibrary, type InstallOptions } from './install-library.ts'

/**
 * The URL of node-llama-cpp, which is installed first if it is missing. Whoever needs it at the same time waits for the
 * same installation; it goes on if one of them gives up.
 */
export async function useLibrary(options: InstallOptions): Promise<string> {
  const { folder } = options
  const found = findLibrary(folder)
  if (found !== undefined) return found
  let installing = all.get(folder)
  if (!installing) {
    installing = installLibrary(options).finally(() => all.delete(folder))
    all.set(folder, installing)
  }
  await installing
  const library = findLibrary(folder)
  if (library !== undefined) return library
  throw new Error('node-llama-cpp was installed but is not there')
}

const all = new Map<string, Promise<void>>()
