import { tool, type Tool, ToolError } from '@toolglot/agent'
import { canonicalTools } from '@toolglot/permissions'
import { z } from 'zod'
import { filePath } from '../file/file-path.ts'
import { unifiedDiff } from '../edit/diff.ts'
import { plainUtf8 } from '../encoding/text.ts'
import { type Before, createChangeFile, type FileHost, type Made } from '../edit/change-file.ts'
import { hasReturns, withoutReturns, withReturns } from '../file/line-ends.ts'
import { placeholderIn } from '../edit/omitted-code.ts'
import { bytesOf, mustBeWhole, textFileOf } from '../file/text-file.ts'
import { nameFor } from '../file/display-name.ts'
import { showNewErrors } from '../lsp/new-errors.ts'
import type { FoundDiagnostic } from '../lsp/result.ts'

export interface WriteArguments {
  file_path: string
  content: string
}

export interface WriteResult {
  success: boolean
  bytes_written: number
  /** The real path. */
  path: string
  created: boolean
  /** What changed, as a unified diff; of a file that was there before. */
  diff?: string
  /** What was kept of the file that was there: its encoding, its line ends. */
  notice?: string
  /** Errors that the change brought, where a language server for the file runs already; at most 10. */
  diagnostics?: readonly FoundDiagnostic[]
}

const parameters = z.strictObject({
  file_path: filePath,
  content: z.string().describe('All that the file shall contain.'),
})

/** Makes a file, or replaces all of its content. */
export function writeTool(host: FileHost): Tool<WriteArguments, WriteResult> {
  const changeFile = createChangeFile(host)
  return tool({
    name: 'Write',
    description:
      'Makes a file, with the folders it needs, or replaces the whole content of one. A file that exists must have been read first. To change a part of a file, use Edit.',
    parameters,
    access: canonicalTools.get('Write')!,
    level: 1,
    idempotent: true,

    async execute({ file_path: path, content }, context) {
      mustBeWhole(content, 'content')
      const { result, facts, diagnostics } = await changeFile(path, context, (before) => {
        if (context.run !== undefined) mustBeKnown(path, before)
        mustNotBeChanged(path, before)
        return make(path, content, before)
      })
      return { ...result, path: facts.path, ...(diagnostics && { diagnostics }) }
    },

    show: ({ bytes_written, created, path, diff, notice, diagnostics }) =>
      [
        `${created ? 'Made' : 'Replaced'} ${nameFor(path, host.fileSystem)}: ${bytes_written} bytes.`,
        notice,
        diff,
        showNewErrors(diagnostics),
      ]
        .filter((part) => part !== undefined && part !== '')
        .join('\n'),
  })

  function make(path: string, content: string, { loaded, encoding: known }: Before): Made<Written> {
    const old = loaded && textFileOf(loaded, known)
    const omitted = placeholderIn(content, old && withoutReturns(old.text))
    if (omitted !== undefined) throw placeholder(omitted)
    if (!old) {
      const bytes = bytesOf({ text: content, encoding: plainUtf8 }, path)
      return { bytes, encoding: plainUtf8, result: { ...written(bytes), created: true } }
    }
    const kept: string[] = []
    const { encoding } = old
    const plain = encoding.mark.length > 0 ? content.replace(/^\ufeff/, '') : content
    const keepsReturns = hasReturns(old.text) && !plain.includes('\r\n')
    if (keepsReturns) kept.push('CRLF line ends')
    if (encoding.name !== 'utf-8') kept.push(`the encoding ${encoding.name}`)
    if (encoding.mark.length > 0) kept.push('the byte order mark')
    const text = keepsReturns ? withReturns(plain) : plain
    const bytes = bytesOf({ text, encoding }, path)
    const name = nameFor(path, host.fileSystem)
    return {
      bytes,
      encoding,
      result: {
        ...written(bytes),
        created: false,
        diff: unifiedDiff(withoutReturns(old.text), withoutReturns(text), name),
        ...(kept.length > 0 && { notice: `Kept of the file: ${kept.join(', ')}.` }),
      },
    }
  }
}

type Written = Omit<WriteResult, 'path' | 'diagnostics'>

function written(bytes: Uint8Array): Pick<Written, 'success' | 'bytes_written'> {
  return { success: true, bytes_written: bytes.length }
}

function mustBeKnown(path: string, { known }: Before): void {
  if (known !== 'unread') return
  const message = `${path} exists and was not read yet. Read it first, so that nothing in it is lost; or use Edit to change a part of it.`
  throw new ToolError('invalid_input', message, { code: 'not_read', path })
}

function mustNotBeChanged(path: string, { known }: Before): void {
  if (known !== 'changed') return
  const message = `${path} was changed since it was read. Read it again, then write it with those changes.`
  throw new ToolError('invalid_input', message, { code: 'changed_since_read', path })
}

export function placeholder(line: string): ToolError {
  const message = `${JSON.stringify(line)} stands for code that was left out, and would be written as it is. Write all of it; or use Edit for a part.`
  return new ToolError('invalid_input', message, { code: 'placeholder', line })
}
