import type { Files } from '../src/host/files.ts'

/** Reads a whole file as text. */
export async function readOnce(files: Files, path: string): Promise<string> {
  const file = await files.open(path)
  try {
    let text = ''
    for await (const piece of file.read()) text += Buffer.from(piece).toString()
    return text
  } finally {
    await file.close()
  }
}
