import { constants } from 'node:fs'
import { open } from 'node:fs/promises'
import { dirname } from 'node:path'
import { type CassetteStore, isRecording, type Recording } from '../model/cassette/tape.ts'
import { makeFolder } from './make-folder.ts'
import { readRegularFile, decodeUtf8 } from './read-file.ts'

/** Recordings in a file, one a line as JSON. Only its owner may read it: prompts hold what people work on. */
export function cassetteFile(file: string): CassetteStore {
  return {
    load: async () => load(file),
    async add(recording) {
      makeFolder(dirname(file))
      const { O_APPEND, O_CREAT, O_RDWR } = constants
      const opened = await open(file, O_RDWR | O_APPEND | O_CREAT, 0o600)
      try {
        const torn = await isTorn(opened)
        // A line that was cut off stays one line.
        await opened.write(`${torn ? '\n' : ''}${JSON.stringify(recording)}\n`)
        await opened.sync()
      } finally {
        await opened.close()
      }
    },
  }
}

function load(file: string): Recording[] {
  const content = readRegularFile(file, LARGEST)
  if ('missing' in content) return []
  if ('reason' in content) throw new Error(`${file} cannot be used: ${content.reason}.`)
  const text = decodeUtf8(content.bytes)
  if (text === undefined) throw new Error(`${file} cannot be used: it is not UTF-8.`)
  const lines = text.split('\n')
  return lines.flatMap((line, index) => {
    if (line.trim() === '') return []
    const value = parse(line)
    if (isRecording(value)) return [value]
    // The last line may be half of one, where the disk was full or the process was killed.
    if (index === lines.length - 1) return []
    throw new Error(`${file}:${index + 1} is no recording: remove the line, or record anew.`)
  })
}

const LARGEST = 256 << 20

function parse(line: string): unknown {
  try {
    return JSON.parse(line) as unknown
  } catch {
    // Not JSON.
    return undefined
  }
}

async function isTorn(opened: Awaited<ReturnType<typeof open>>): Promise<boolean> {
  const { size } = await opened.stat()
  if (size === 0) return false
  const { buffer } = await opened.read(Buffer.alloc(1), 0, 1, size - 1)
  return buffer[0] !== 0x0a
}
