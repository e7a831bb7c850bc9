import { tool, type Tool, type ToolContext, ToolError } from '@toolglot/agent'
import { canonicalTools } from '@toolglot/permissions'
import { z } from 'zod'
import { filePath } from '../file/file-path.ts'
import { applyMatches, flatten } from '../edit/apply-matches.ts'
import { unifiedDiff } from '../edit/diff.ts'
import { lineAt, linesOf } from '../edit/lines.ts'
import { findMatches, type How, type Matches } from '../edit/find-matches.ts'
import { nearMiss } from '../edit/near-miss.ts'
import { plainUtf8 } from '../encoding/text.ts'
import { type Before, createChangeFile, type FileHost, type Made } from '../edit/change-file.ts'
import { withoutReturns } from '../file/line-ends.ts'
import { missingFile } from '../file/missing.ts'
import { placeholderIn } from '../edit/omitted-code.ts'
import { bytesOf, mustBeWhole, textFileOf } from '../file/text-file.ts'
import { nameFor } from '../file/display-name.ts'
import { showNewErrors } from '../lsp/new-errors.ts'
import type { FoundDiagnostic } from '../lsp/result.ts'
import { placeholder } from './write.ts'

export interface EditArguments {
  file_path: string
  old_string: string
  new_string: string
  replace_all?: boolean | undefined
}

export interface EditResult {
  success: boolean
  replacements: number
  /** The real path. */
  path: string
  /** What old_string differed in from the text it was found as. */
  match: How
  diff: string
  notice?: string
  /** Errors that the change brought, where a language server for the file runs already; at most 10. */
  diagnostics?: readonly FoundDiagnostic[]
}

const parameters = z.strictObject({
  file_path: filePath,
  old_string: z
    .string()
    .describe(
      'The text to replace, exactly as it is in the file, without line numbers. Empty: make a new file.',
    ),
  new_string: z.string().describe('The text to put there.'),
  replace_all: z
    .boolean()
    .optional()
    .describe(
      'Replace every place where old_string stands; otherwise it must stand in one place only.',
    ),
})

/** Replaces text in a file. */
export function editTool(host: FileHost): Tool<EditArguments, EditResult> {
  const changeFile = createChangeFile(host)
  return tool({
    name: 'Edit',
    description:
      'Replaces a text in a file by another. old_string must be exactly what the file has, and enough of it to stand in one place only, unless replace_all is true. Line ends and encoding are kept.',
    parameters,
    access: canonicalTools.get('Edit')!,
    level: 1,

    async execute(args, context) {
      const { file_path: path, old_string, new_string } = args
      mustBeWhole(new_string, 'new_string')
      if (withoutReturns(old_string) === withoutReturns(new_string))
        throw wrong(
          'no_change',
          'old_string and new_string are the same: there is nothing to change.',
        )
      const { result, facts, diagnostics } = await changeFile(path, context, (before) =>
        old_string === '' ? makeNew(args, before) : make(args, before, context),
      )
      return { ...result, path: facts.path, ...(diagnostics && { diagnostics }) }
    },

    show: ({ replacements, path, diff, notice, diagnostics }) => {
      const places = replacements === 1 ? '1 place' : `${replacements} places`
      const told = `Changed ${places} in ${nameFor(path, host.fileSystem)}.`
      return [told, notice, diff, showNewErrors(diagnostics)]
        .filter((part) => part !== undefined && part !== '')
        .join('\n')
    },
  })

  function makeNew(
    { file_path: path, new_string }: EditArguments,
    { loaded }: Before,
  ): Made<Edited> {
    if (loaded && loaded.bytes.length > 0)
      throw wrong(
        'exists',
        `${path} exists and is not empty. Give the text to replace as old_string, or use Write.`,
      )
    const bytes = bytesOf({ text: new_string, encoding: plainUtf8 }, path)
    const diff = unifiedDiff('', new_string, nameFor(path, host.fileSystem))
    const result: Edited = { success: true, replacements: 1, match: 'exact', diff }
    return { bytes, encoding: plainUtf8, result }
  }

  async function make(
    args: EditArguments,
    { loaded, encoding, known }: Before,
    { paths, mayShow }: ToolContext,
  ): Promise<Made<Edited>> {
    const { file_path: path, replace_all = false } = args
    const old = withoutReturns(args.old_string)
    const replacement = withoutReturns(args.new_string)
    if (!loaded) throw await missingFile(host.files, path, { ...(paths && { paths }), mayShow })
    const file = textFileOf(loaded, encoding)
    const flat = flatten(file.text)
    const omitted = placeholderIn(replacement, flat.text)
    if (omitted !== undefined) throw placeholder(omitted)
    const found = findMatches(flat.text, { old, replacement }, replace_all)
    if (found.matches.length === 0) throw noMatch(path, flat.text, old, known)
    if (found.matches.length > 1 && !replace_all) throw notUnique(path, flat.text, found)
    const isSure = found.how === 'exact' && !replace_all
    if (!isSure && known === 'changed') throw unsure(path, 'was changed since it was read')
    if (!isSure && known === 'unread' && args.replace_all) throw unsure(path, 'was not read yet')

    const text = applyMatches(file.text, flat, found.matches)
    if (text === file.text)
      throw wrong(
        'no_change',
        `${path} has new_string in that place already: there is nothing to change.`,
      )
    const bytes = bytesOf({ text, encoding: file.encoding }, path)
    const notices = [
      found.how === 'exact'
        ? undefined
        : `old_string was found though its ${found.how} differs; only what it changes was changed.`,
      known === 'changed'
        ? 'The file was changed by someone else since it was read; those changes are kept.'
        : undefined,
    ].filter((notice) => notice !== undefined)
    return {
      bytes,
      encoding: file.encoding,
      result: {
        success: true,
        replacements: found.matches.length,
        match: found.how,
        diff: unifiedDiff(flat.text, withoutReturns(text), nameFor(path, host.fileSystem)),
        ...(notices.length > 0 && { notice: notices.join(' ') }),
      },
    }
  }
}

type Edited = Omit<EditResult, 'path' | 'diagnostics'>

function wrong(code: string, message: string): ToolError {
  return new ToolError('invalid_input', message, { code })
}

function unsure(path: string, why: string): ToolError {
  return wrong(
    'read_first',
    `${path} ${why}. Read it, then repeat the change with its present text.`,
  )
}

function noMatch(path: string, text: string, old: string, known: Before['known']): ToolError {
  const stale = known === 'changed' ? ' The file was changed since it was read.' : ''
  const message = `old_string is not in ${path}.${stale} ${nearMiss(text, old)}`
  return new ToolError('not_found', message, { code: 'no_match', path })
}

const SHOWN_PLACES = 5

function notUnique(path: string, text: string, { how, matches }: Matches): ToolError {
  const lines = linesOf(text)
  const places = matches.map(({ start }) => lineAt(lines, start))
  const shown =
    places.slice(0, SHOWN_PLACES).join(', ') + (places.length > SHOWN_PLACES ? ', …' : '')
  const count =
    how === 'exact' ? `${places.length} times` : `more than once (if ${how} does not count)`
  const message = `old_string stands ${count} in ${path}, at lines ${shown}. Add lines around it until it stands once, or set replace_all.`
  return new ToolError('invalid_input', message, { code: 'not_unique', path, lines: places })
}
