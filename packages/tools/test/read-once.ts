import type { Files } from '../src/host/files.ts'

/** All of a file as text. */
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
