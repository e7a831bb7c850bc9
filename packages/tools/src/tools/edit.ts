import { tool, type Tool, type ToolContext, ToolError } from '@toolglot/agent'
import { canonicalTools } from '@toolglot/permissions'
import { z } from 'zod'
import { filePath, missingFile, displayName } from '../file/file-path.ts'
import { applyMatches, flatten } from '../edit/apply-matches.ts'
import { unifiedDiff, previewChange } from '../edit/diff.ts'
import {
  lineAt,
  linesOf,
  findMatches,
  type MatchKind,
  type FoundMatches,
} from '../edit/find-matches.ts'
import { nearMiss } from '../edit/near-miss.ts'
import { plainUtf8 } from '../encoding/text.ts'
import {
  type FileBefore,
  createChangeFile,
  type FileHost,
  type NewContent,
} from '../edit/change-file.ts'
import { toLf, bytesOf, refuseLoneSurrogates, textFileOf } from '../file/text-file.ts'
import { refuseOmittedCode } from '../edit/omitted-code.ts'
import { resumeRecords } from '../file/file-records.ts'
import { showNewErrors } from '../lsp/new-errors.ts'
import type { FoundDiagnostic } from '../lsp/result.ts'

/** Arguments of Edit. */
export interface EditArguments {
  file_path: string
  old_string: string
  new_string: string
  replace_all?: boolean | undefined
}

/** The result of Edit. */
export interface EditResult {
  success: boolean
  replacements: number
  /** The real path. */
  path: string
  /** The kind of match for old_string: `exact`, or the ignored difference. */
  match: MatchKind
  diff: string
  notice?: string
  /** Up to 10 errors that the change introduced, if a language server for the file is already running. */
  diagnostics?: readonly FoundDiagnostic[]
}

const parameters = z.strictObject({
  file_path: filePath,
  old_string: z
    .string()
    .describe(
      'Text to replace, exactly as in the file, without line numbers. Empty to create a file.',
    ),
  new_string: z.string().describe('Text to replace it with.'),
  replace_all: z
    .boolean()
    .optional()
    .describe(
      'Replace every occurrence of old_string. Default false: old_string must occur exactly once.',
    ),
})

/** Creates the Edit tool, which replaces text in a file. */
export function editTool(host: FileHost): Tool<EditArguments, EditResult> {
  const changeFile = createChangeFile(host)
  return tool({
    name: 'Edit',
    description:
      'Replace text in a file. old_string must match the file exactly and occur only once, unless replace_all is true. Line ends and encoding are kept.',
    parameters,
    access: canonicalTools.get('Edit')!,
    level: 1,

    async execute(args, context) {
      const { file_path: path, old_string, new_string } = args
      refuseLoneSurrogates(new_string, 'new_string')
      if (toLf(old_string) === toLf(new_string))
        throw wrong('no_change', 'old_string and new_string are equal: there is nothing to change.')
      const { result, facts, diagnostics } = await changeFile(path, context, (before) =>
        old_string === '' ? makeNew(args, before) : make(args, before, context),
      )
      return { ...result, path: facts.path, ...(diagnostics && { diagnostics }) }
    },

    show: ({ replacements, path, diff, notice, diagnostics }) => {
      const places = replacements === 1 ? '1 place' : `${replacements} places`
      const summary = `Changed ${places} in ${displayName(path, host.fileSystem)}.`
      return [summary, notice, diff, showNewErrors(diagnostics)]
        .filter((part) => part !== undefined && part !== '')
        .join('\n')
    },

    preview: (args, allowed) => previewChange(host, args, allowed),

    resume: (run, remembered) => resumeRecords(host.files, run, remembered),
  })

  function makeNew(
    { file_path: path, new_string }: EditArguments,
    { loaded }: FileBefore,
  ): NewContent<Edited> {
    if (loaded && loaded.bytes.length > 0)
      throw wrong(
        'exists',
        `${path} exists and is not empty. Set old_string to the text to replace, or use Write.`,
      )
    const bytes = bytesOf({ text: new_string, encoding: plainUtf8 }, path)
    const diff = unifiedDiff('', new_string, displayName(path, host.fileSystem))
    const result: Edited = { success: true, replacements: 1, match: 'exact', diff }
    return { bytes, encoding: plainUtf8, result }
  }

  async function make(
    args: EditArguments,
    { loaded, encoding, known }: FileBefore,
    { paths, mayShow }: ToolContext,
  ): Promise<NewContent<Edited>> {
    const { file_path: path, replace_all = false } = args
    const old = toLf(args.old_string)
    const replacement = toLf(args.new_string)
    if (!loaded) throw await missingFile(host.files, path, { paths, mayShow })
    const file = textFileOf(loaded, encoding)
    const flat = flatten(file.text)
    refuseOmittedCode(replacement, flat.text)
    const found = findMatches(flat.text, { old, replacement }, replace_all)
    if (found.matches.length === 0) throw noMatch(path, flat.text, old, known)
    if (found.matches.length > 1 && !replace_all) throw notUnique(path, flat.text, found)
    const isCertain = found.how === 'exact' && !replace_all
    if (!isCertain && known === 'changed') throw readFirst(path, 'has changed since it was read')
    if (!isCertain && known === 'unread' && args.replace_all)
      throw readFirst(path, 'has not been read in this conversation, which replace_all requires')

    const text = applyMatches(file.text, flat, found.matches)
    if (text === file.text)
      throw wrong('no_change', `${path} already has new_string there: there is nothing to change.`)
    const bytes = bytesOf({ text, encoding: file.encoding }, path)
    const notices = [
      found.how === 'exact'
        ? undefined
        : `old_string was found although its ${found.how} differs; the rest of the file is unchanged.`,
      known === 'changed'
        ? 'The file has changed since it was read; those changes are kept.'
        : undefined,
    ].filter((notice) => notice !== undefined)
    return {
      bytes,
      encoding: file.encoding,
      result: {
        success: true,
        replacements: found.matches.length,
        match: found.how,
        diff: unifiedDiff(flat.text, toLf(text), displayName(path, host.fileSystem)),
        notice: notices.length > 0 ? notices.join(' ') : undefined,
      },
    }
  }
}

type Edited = Omit<EditResult, 'path' | 'diagnostics'>

function wrong(code: string, message: string): ToolError {
  return new ToolError('invalid_input', message, { code })
}

function readFirst(path: string, why: string): ToolError {
  return wrong('read_first', `${path} ${why}. Read it, then repeat the edit with its current text.`)
}

function noMatch(path: string, text: string, old: string, known: FileBefore['known']): ToolError {
  const stale = known === 'changed' ? ' The file has changed since it was read.' : ''
  const message = `old_string is not in ${path}.${stale} ${nearMiss(text, old)}`
  return new ToolError('not_found', message, { code: 'no_match', path })
}

const MAX_SHOWN_LINES = 5

function notUnique(path: string, text: string, { how, matches }: FoundMatches): ToolError {
  const lines = linesOf(text)
  const numbers = matches.map(({ start }) => lineAt(lines, start))
  const shown =
    numbers.slice(0, MAX_SHOWN_LINES).join(', ') + (numbers.length > MAX_SHOWN_LINES ? ', …' : '')
  const count = how === 'exact' ? `${numbers.length} times` : `more than once (ignoring ${how})`
  const message = `old_string occurs ${count} in ${path}, at lines ${shown}. Add surrounding lines until it occurs only once, or set replace_all.`
  return new ToolError('invalid_input', message, { code: 'not_unique', path, lines: numbers })
}
