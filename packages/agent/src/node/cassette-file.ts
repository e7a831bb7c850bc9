import { constants } from 'node:fs'
import { open } from 'node:fs/promises'
import { dirname } from 'node:path'
import { type CassetteStore, isRecording, type Recording } from '../model/cassette/recording.ts'
import { makeFolder } from './state-folder.ts'
import { readTextFile } from '@toolglot/permissions/node/internal'

/**
 * Stores recordings in a JSON Lines file. Only its owner can read it, because prompts may be
 * private.
 */
export function cassetteFile(file: string): CassetteStore {
  return {
    load: async () => load(file),
    async add(recording) {
      makeFolder(dirname(file))
      const { O_APPEND, O_CREAT, O_NONBLOCK, O_RDWR } = constants
      const handle = await open(file, O_RDWR | O_APPEND | O_CREAT | O_NONBLOCK, 0o600)
      try {
        if (!(await handle.stat()).isFile())
          throw new Error(`${file} cannot be used: it is not a regular file.`)
        const isIncomplete = await lacksLineBreak(handle)
        // Don't append to an incomplete last line.
        await handle.write(`${isIncomplete ? '\n' : ''}${JSON.stringify(recording)}\n`)
        await handle.sync()
      } finally {
        await handle.close()
      }
    },
  }
}

function load(file: string): Recording[] {
  const content = readTextFile(file, MAX_BYTES)
  if ('missing' in content) return []
  if ('reason' in content) throw new Error(`${file} cannot be used: ${content.reason}.`)
  const lines = content.text.split('\n')
  return lines.flatMap((line, index) => {
    if (line.trim() === '') return []
    const value = parseJson(line)
    if (isRecording(value)) return [value]
    // A full disk or a killed process may have left an incomplete last line.
    if (index === lines.length - 1) return []
    throw new Error(`${file}:${index + 1} is not a recording: remove the line, or record again.`)
  })
}

const MAX_BYTES = 256 << 20

function parseJson(line: string): unknown {
  try {
    return JSON.parse(line) as unknown
  } catch {
    // The text is not JSON.
    return undefined
  }
}

async function lacksLineBreak(handle: Awaited<ReturnType<typeof open>>): Promise<boolean> {
  const { size } = await handle.stat()
  if (size === 0) return false
  const { buffer } = await handle.read(Buffer.alloc(1), 0, 1, size - 1)
  return buffer[0] !== 0x0a
}
