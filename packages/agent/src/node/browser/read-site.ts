import { plainLine } from '../../model/plain-line.ts'
import { readTextFile } from '@toolglot/permissions/node/internal'
import { parseSite, type Site } from './site.ts'

/** Reads a site file. Throws a TypeError that says what is wrong with it. */
export function readSite(file: string): Site {
  const shown = plainLine(file)
  const content = readTextFile(file, MAX_BYTES)
  if ('missing' in content)
    throw new TypeError(`Expected a site file at ${shown}, got nothing. Check the path.`)
  if ('reason' in content)
    throw new TypeError(`Expected a site file at ${shown}, but ${content.reason}.`)
  let value: unknown
  try {
    value = JSON.parse(content.text)
  } catch (error) {
    // Not JSON: the message says where.
    throw new TypeError(`Expected ${shown} to be JSON: ${plainLine((error as Error).message)}.`)
  }
  try {
    return parseSite(value)
  } catch (error) {
    // Only the name of the file is added.
    throw new TypeError(`${shown}: ${(error as Error).message}`)
  }
}

const MAX_BYTES = 64 << 10
