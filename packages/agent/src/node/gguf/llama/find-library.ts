import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { readSmallFile } from '@toolglot/permissions/node/internal'

/** The version of node-llama-cpp that is installed: what is used of it is not the same in all versions. */
export const LLAMA_VERSION = '3.22.1'

/** The URL of node-llama-cpp, if it is installed next to the program, or else in a folder of the user's. */
export function findLibrary(folder: string): string | undefined {
  const path = pathFrom(import.meta.url) ?? pathIn(folder)
  return path === undefined ? undefined : pathToFileURL(path).href
}

/** The path of the library in a folder where it was installed. Another version there counts as none. */
function pathIn(folder: string): string | undefined {
  try {
    const file = join(folder, 'node_modules', 'node-llama-cpp', 'package.json')
    const { version } = JSON.parse(readSmallFile(file) ?? '') as { readonly version?: unknown }
    return version === LLAMA_VERSION ? pathFrom(join(folder, 'package.json')) : undefined
  } catch {
    // It is not installed there.
    return undefined
  }
}

function pathFrom(place: string): string | undefined {
  try {
    return createRequire(place).resolve('node-llama-cpp')
  } catch {
    // It is not installed there.
    return undefined
  }
}
