import { resolve } from 'node:path'
import { isProtocolFile } from '@toolglot/workspace/internal'
import type { Terminal } from '../terminal.ts'

/** The name of a protocol as it was typed. A file is relative to the shell's folder, whatever `--cwd` is. */
export function protocolName(typed: string, { cwd }: Pick<Terminal, 'cwd'>): string {
  return isProtocolFile(typed) ? resolve(cwd, typed) : typed
}
