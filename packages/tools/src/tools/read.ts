import { tool, type Tool, ToolError } from '@toolglot/agent'
import { canonicalTools } from '@toolglot/permissions'
import { z } from 'zod'
import { filePath } from '../file/file-path.ts'
import { encodingNamed } from '../encoding/legacy.ts'
import { missingFile } from '../file/missing.ts'
import { readFolder } from '../read/read-folder.ts'
import { readOpened } from '../read/read-file.ts'
import type { Request } from '../read/read-request.ts'
import type { ReadResult } from '../read/read-result.ts'
import { recordsOf } from '../file/file-records.ts'
import { nameFor } from '../file/display-name.ts'
import type { Host } from '../host/host.ts'

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
  offset: z.int().min(0).optional().describe('The number of the first line, from 1.'),
  limit: z.int().min(1).optional().describe('How many lines; 2000 if not told.'),
  pages: z
    .string()
    .regex(/^\d{1,6}(-\d{1,6})?$/, 'expected pages such as 3 or 1-5')
    .optional()
    .describe('The pages of a PDF, such as 1-5; 20 at most at once.'),
  line_numbers: z.boolean().optional().describe('False: the lines alone, without their numbers.'),
  encoding: z
    .string()
    .optional()
    .describe(
      'How the file is encoded, such as gbk, if it was guessed wrong. It is kept when the file is changed.',
    ),
})

/** Shows a file: its lines with their numbers, a folder's names, a picture, a PDF's text, a notebook's cells. */
export function readTool(
  host: Pick<Host, 'fileSystem' | 'files'>,
): Tool<ReadArguments, ReadResult> {
  return tool({
    name: 'Read',
    description:
      'Reads a file and shows its lines, each with its number and a tab before it, at most 2000 lines or 50 KB at once; use offset and limit for others. Shows pictures, the text of PDFs by pages, the cells of notebooks, and the names in a folder too.',
    parameters,
    access: canonicalTools.get('Read')!,
    level: 1,
    idempotent: true,

    async execute(args, { signal, run, paths, mayShow }) {
      const { file_path: path, encoding } = args
      const reach = paths ? { paths } : {}
      const facts = await host.files.stat(path, reach)
      if (!facts) throw await missingFile(host.files, path, { ...reach, mayShow })
      const request: Request = {
        ...args,
        encoding: encoding === undefined ? undefined : known(encoding),
        name: nameFor(path, host.fileSystem),
        signal,
      }
      if (facts.kind === 'folder') return readFolder(host.files, path, request, reach, mayShow)
      const file = await host.files.open(path, reach)
      try {
        return await readOpened(file, request, recordsOf(host.files, run), run !== undefined)
      } finally {
        await file.close()
      }
    },

    show: ({ content, notice }) =>
      [content, notice && `(${notice})`].filter((part) => part).join('\n\n'),
  })
}

function known(label: string): string {
  const name = encodingNamed(label)
  if (name !== undefined) return name
  throw new ToolError(
    'invalid_input',
    `There is no encoding ${JSON.stringify(label)}. Expected one such as utf-8, utf-16le, gbk, shift_jis or windows-1252.`,
    { code: 'encoding' },
  )
}
