import { createReadStream } from 'node:fs'
import { UserError } from '@toolglot/workspace'
import { quote } from '@toolglot/workspace/internal'

/** The bytes of a file; a CommandError in plain words where it cannot be read. */
export async function* bytesOf(path: string): AsyncIterable<Uint8Array> {
  try {
    yield* createReadStream(path) as AsyncIterable<Uint8Array>
  } catch (error) {
    // No such file, a folder, no permission.
    throw fileError(path, error as NodeJS.ErrnoException)
  }
}

function fileError(path: string, error: NodeJS.ErrnoException): UserError {
  const [got, advice] = reasons(quote(path))[error.code ?? ''] ?? [
    `${quote(path)}, which failed (${error.message})`,
    'try again or copy the file',
  ]
  return new UserError('data', { expected: 'a file to read', got, advice })
}

function reasons(file: string): Record<string, [got: string, advice: string]> {
  return {
    ENOENT: [`no file ${file}`, 'check the path'],
    ENOTDIR: [`${file}, which leads through a file`, 'check the path'],
    EISDIR: [`the folder ${file}`, 'name one file in it'],
    EACCES: [`${file}, which you may not read`, 'check its permissions'],
  }
}
