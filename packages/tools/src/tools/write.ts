import { tool, type Tool, ToolError } from '@toolglot/agent'
import { canonicalTools } from '@toolglot/permissions'
import { z } from 'zod'
import { filePath, displayName } from '../file/file-path.ts'
import { unifiedDiff, previewChange } from '../edit/diff.ts'
import { plainUtf8 } from '../encoding/text.ts'
import {
  type FileBefore,
  createChangeFile,
  type FileHost,
  type NewContent,
} from '../edit/change-file.ts'
import {
  usesCrlf,
  toLf,
  toCrlf,
  bytesOf,
  refuseLoneSurrogates,
  textFileOf,
} from '../file/text-file.ts'
import { refuseOmittedCode } from '../edit/omitted-code.ts'
import { resumeRecords } from '../file/file-records.ts'
import { showNewErrors } from '../lsp/new-errors.ts'
import type { FoundDiagnostic } from '../lsp/result.ts'

/** Arguments of Write. */
export interface WriteArguments {
  file_path: string
  content: string
}

/** The result of Write. */
export interface WriteResult {
  success: boolean
  bytes_written: number
  /** The real path. */
  path: string
  created: boolean
  /** Unified diff of the change, if the file existed before. */
  diff?: string
  /** The preserved properties of the former file: its encoding and its line ends. */
  notice?: string
  /** Up to 10 errors that the change introduced, if a language server for the file is already running. */
  diagnostics?: readonly FoundDiagnostic[]
}

const parameters = z.strictObject({
  file_path: filePath,
  content: z.string().describe('Complete new content of the file.'),
})

/** Creates the Write tool, which creates a file or replaces its content. */
export function writeTool(host: FileHost): Tool<WriteArguments, WriteResult> {
  const changeFile = createChangeFile(host)
  return tool({
    name: 'Write',
    description:
      'Create a file and its folders, or replace a whole file. Read an existing file first. To change part of a file, use Edit.',
    parameters,
    access: canonicalTools.get('Write')!,
    level: 1,
    idempotent: true,

    async execute({ file_path: path, content }, context) {
      refuseLoneSurrogates(content, 'content')
      const { result, facts, diagnostics } = await changeFile(path, context, (before) => {
        if (context.run !== undefined) refuseUnread(path, before)
        refuseChanged(path, before)
        return make(path, content, before)
      })
      return { ...result, path: facts.path, ...(diagnostics && { diagnostics }) }
    },

    show: ({ bytes_written, created, path, diff, notice, diagnostics }) =>
      [
        `${created ? 'Created' : 'Replaced'} ${displayName(path, host.fileSystem)}: ${bytes_written} bytes.`,
        notice,
        diff,
        showNewErrors(diagnostics),
      ]
        .filter((part) => part !== undefined && part !== '')
        .join('\n'),

    preview: (args, allowed) => previewChange(host, args, allowed),

    resume: (run, remembered) => resumeRecords(host.files, run, remembered),
  })

  function make(
    path: string,
    content: string,
    { loaded, encoding: known }: FileBefore,
  ): NewContent<Written> {
    const old = loaded && textFileOf(loaded, known)
    refuseOmittedCode(content, old && toLf(old.text))
    if (!old) {
      const bytes = bytesOf({ text: content, encoding: plainUtf8 }, path)
      return { bytes, encoding: plainUtf8, result: { ...written(bytes), created: true } }
    }
    const kept: string[] = []
    const { encoding } = old
    const plain = encoding.mark.length > 0 ? content.replace(/^\ufeff/, '') : content
    const keepsCrlf = usesCrlf(old.text) && !plain.includes('\r\n')
    if (keepsCrlf) kept.push('CRLF line ends')
    if (encoding.name !== 'utf-8') kept.push(`the encoding ${encoding.name}`)
    if (encoding.mark.length > 0) kept.push('the byte order mark')
    const text = keepsCrlf ? toCrlf(plain) : plain
    const bytes = bytesOf({ text, encoding }, path)
    const name = displayName(path, host.fileSystem)
    return {
      bytes,
      encoding,
      result: {
        ...written(bytes),
        created: false,
        diff: unifiedDiff(toLf(old.text), toLf(text), name),
        ...(kept.length > 0 && { notice: `Kept from the former file: ${kept.join(', ')}.` }),
      },
    }
  }
}

type Written = Omit<WriteResult, 'path' | 'diagnostics'>

function written(bytes: Uint8Array): Pick<Written, 'success' | 'bytes_written'> {
  return { success: true, bytes_written: bytes.length }
}

function refuseUnread(path: string, { known }: FileBefore): void {
  if (known !== 'unread') return
  const message = `${path} exists and has not been read in this conversation. Read it first, so that nothing in it is lost, then write it; or use Edit to change part of it.`
  throw new ToolError('invalid_input', message, { code: 'not_read', path })
}

function refuseChanged(path: string, { known }: FileBefore): void {
  if (known !== 'changed') return
  const message = `${path} has changed since it was read. Read it again, then write it with those changes.`
  throw new ToolError('invalid_input', message, { code: 'changed_since_read', path })
}
