import { createHash, randomBytes } from 'node:crypto'
import { open, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { makeFolder } from '@toolglot/agent/node/internal'
import { canonicalJson } from '@toolglot/permissions/internal'
import { readSmallFile } from '@toolglot/permissions/node/internal'
import { z } from 'zod'
import type { Storage } from '../../host/host.ts'

/** Hashes of a tool's description, parameters and server. */
export interface Pin {
  readonly description: string
  readonly parameters: string
  readonly server: string
}

const pinShape = z.strictObject({
  description: z.string(),
  parameters: z.string(),
  server: z.string(),
})
const pinFile = z.strictObject({ name: z.string(), pins: z.array(pinShape).min(1) })

/** Computes the pin of a tool. */
export function pinOf(description: unknown, parameters: unknown, server: unknown): Pin {
  return {
    description: hashOf(description),
    parameters: hashOf(parameters),
    server: hashOf(server),
  }
}

/** True if two pins are equal. */
export function isSamePin(one: Pin, other: Pin | undefined): boolean {
  return other !== undefined && PARTS.every(([part]) => one[part] === other[part])
}

/** The pins of tools from the last time they were allowed to run, to detect changes. */
export interface Pins {
  /** Loads the stored pins of a tool. */
  load(name: string): Promise<void>
  /**
   * Describes the changes since the tool was last allowed. Undefined if nothing changed or the tool
   * was never used.
   */
  describeChange(name: string, pin: Pin): string | undefined
  /** Saves the pin of a tool that is allowed to run. */
  keep(name: string, pin: Pin): Promise<void>
}

/**
 * The maximum number of pins per tool: projects may use the same server name for different servers.
 */
const MAX_PINS = 16

/** Stores pins in a folder, one file per tool. */
export function createPins({ folder: parent }: Storage): Pins {
  const folder = join(parent, 'mcp')
  const known = new Map<string, readonly Pin[] | 'unreadable'>()
  return {
    async load(name) {
      known.set(name, read(join(folder, fileOf(name))))
    },

    describeChange(name, pin) {
      const pins = known.get(name) ?? 'unreadable'
      if (pins === 'unreadable') return 'the record of what was allowed is not readable'
      const last = pins.at(-1)
      if (!last || pins.some((each) => isSamePin(each, pin))) return undefined
      const parts = PARTS.filter(([part]) => last[part] !== pin[part]).map(([, words]) => words)
      return `${parts.join(' and ')} changed since it was last allowed`
    },

    async keep(name, pin) {
      const pins = known.get(name) ?? 'unreadable'
      const before = pins === 'unreadable' ? [] : pins
      const others = before.filter((each) => !isSamePin(each, pin))
      const now = [...others, pin].slice(-MAX_PINS)
      if (before.length === others.length) await write(folder, name, now)
      known.set(name, now)
    },
  }
}

const PARTS = [
  ['description', 'its description'],
  ['parameters', 'its parameters'],
  ['server', 'the command or address of its server'],
] as const

function read(path: string): readonly Pin[] | 'unreadable' {
  try {
    const text = readSmallFile(path)
    // Without a file, the tool was never used.
    return text === undefined ? [] : pinFile.parse(JSON.parse(text)).pins
  } catch {
    return 'unreadable' // The file is not a pin file.
  }
}

/** One file per tool, so that processes that allow different tools do not conflict. */
async function write(folder: string, name: string, pins: readonly Pin[]): Promise<void> {
  makeFolder(folder)
  const path = join(folder, fileOf(name))
  const temporary = `${path}.${randomBytes(6).toString('hex')}`
  const handle = await open(temporary, 'wx', 0o600)
  try {
    await handle.writeFile(`${JSON.stringify({ name, pins }, null, 2)}\n`)
    await handle.sync()
  } finally {
    await handle.close()
  }
  await rename(temporary, path)
}

/** A hash, so that names that differ only in case are different files on any file system. */
function fileOf(name: string): string {
  return `${hashOf(name)}.json`
}

function hashOf(value: unknown): string {
  return createHash('sha256').update(canonicalJson(value)).digest('hex')
}
