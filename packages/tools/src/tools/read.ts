import { tool, type Tool, ToolError } from '@toolglot/agent'
import { canonicalTools } from '@toolglot/permissions'
import { z } from 'zod'
import { filePath, missingFile, displayName } from '../file/file-path.ts'
import { encodingName } from '../encoding/legacy.ts'
import { readOpenFile } from '../read/read-open-file.ts'
import { type ReadRequest, type ReadResult, windowNotice } from '../read/read-result.ts'
import { recordsOf, resumeRecords } from '../file/file-records.ts'
import type { Host } from '../host/host.ts'
import type { Files, AllowedPaths } from '../host/files.ts'
import { type MayShow, showableBelow } from '../search/place.ts'
import { DEFAULT_LINES } from '../file/load.ts'

/** Arguments of Read. */
export interface ReadArguments {
  file_path: string
  offset?: number | undefined
  limit?: number | undefined
  pages?: string | undefined
  line_numbers?: boolean | undefined
  encoding?: string | undefined
}

const parameters = z.strictObject({
  file_path: filePath,
  offset: z.int().min(0).optional().describe('First line to show, from 1. Default 1.'),
  limit: z.int().min(1).optional().describe('Maximum number of lines. Default 2000.'),
  pages: z
    .string()
    .regex(/^\d{1,6}(-\d{1,6})?$/, 'must be pages such as 3 or 1-5')
    .optional()
    .describe('Pages of a PDF, such as 3 or 1-5. At most 20 at a time.'),
  line_numbers: z.boolean().optional().describe('Show line numbers. Default true.'),
  encoding: z
    .string()
    .optional()
    .describe(
      'Encoding of the file, such as gbk, if it was detected wrongly. Later changes to the file keep it.',
    ),
})

/** Creates the Read tool, which shows text files, images, PDFs, notebooks and folders. */
export function readTool(
  host: Pick<Host, 'fileSystem' | 'files'>,
): Tool<ReadArguments, ReadResult> {
  return tool({
    name: 'Read',
    description:
      'Read a file. Each line starts with its number and a tab. Shows at most 2000 lines or 50 KB; use offset and limit for more. Also reads images, PDFs page by page, notebooks and folders.',
    parameters,
    access: canonicalTools.get('Read')!,
    level: 1,
    idempotent: true,

    async execute(args, context) {
      const { signal, run, paths, mayShow } = context
      const { file_path: path, encoding } = args
      const reach = paths ? { paths } : {}
      const facts = await host.files.stat(path, reach)
      if (!facts) throw await missingFile(host.files, path, { ...reach, mayShow })
      const request: ReadRequest = {
        ...args,
        encoding: encoding === undefined ? undefined : readEncoding(encoding),
        name: displayName(path, host.fileSystem),
        signal,
      }
      if (facts.kind === 'folder') return readFolder(host.files, path, request, reach, mayShow)
      const file = await host.files.open(path, reach)
      try {
        return await readOpenFile(file, request, recordsOf(host.files, context), run !== undefined)
      } finally {
        await file.close()
      }
    },

    show: ({ content, notice }) =>
      [content, notice && `(${notice})`].filter((part) => part).join('\n\n'),

    resume: (run, remembered) => resumeRecords(host.files, run, remembered),
  })
}

function readEncoding(label: string): string {
  const name = encodingName(label)
  if (name !== undefined) return name
  throw new ToolError(
    'invalid_input',
    `Unknown encoding ${JSON.stringify(label)}. Use one such as utf-8, utf-16le, gbk, shift_jis or windows-1252.`,
    { code: 'encoding' },
  )
}

/** Lists the visible names in a folder. Subfolders end with a slash. */
async function readFolder(
  files: Files,
  path: string,
  {
    offset,
    limit = DEFAULT_LINES,
    name,
  }: { offset?: number | undefined; limit?: number | undefined; name: string },
  reach: AllowedPaths,
  mayShow?: MayShow,
): Promise<ReadResult> {
  const facts = (await files.stat(path, reach))!
  const isShowable = showableBelow(path, facts.path, mayShow)
  const names = (await files.list(path, reach))
    .filter((entry) => isShowable(entry.name))
    .map((entry) => entry.name + (entry.isFolder ? '/' : ''))
    .sort((one, other) => (one < other ? -1 : 1))
  const first = Math.max(1, offset ?? 1)
  const shown = names.slice(first - 1, first - 1 + limit)
  const last = first + shown.length - 1
  const window = windowNotice({ what: 'names', first, last, total: names.length })
  return {
    content: shown.join('\n'),
    total_lines: names.length,
    path: facts.path,
    kind: 'folder',
    ...(shown.length > 0 && { first_line: first, last_line: last }),
    next_offset: last < names.length && shown.length > 0 ? last + 1 : undefined,
    notice: [`${name} is a folder.`, names.length === 0 ? 'It is empty.' : window]
      .filter((part) => part !== '')
      .join(' '),
  }
}
