import { tool, type Tool, ToolError } from '@toolglot/agent'
import { canonicalTools } from '@toolglot/permissions'
import { z } from 'zod'
import { loadFile } from '../file/load.ts'
import { missingFile, displayName } from '../file/file-path.ts'
import { textFileOf } from '../file/text-file.ts'
import type { Host } from '../host/host.ts'
import type { CodePosition } from '../host/language.ts'
import { characterAt, linesIn, unitsBefore, VisiblePlaces } from '../lsp/visible-places.ts'
import { operations, folderDiagnostics } from '../lsp/operations.ts'
import { LeakCheck } from '../lsp/leak-check.ts'
import { type LSPOperation, type LSPResult, showResult } from '../lsp/result.ts'
import type { OperationContext } from '../lsp/queries.ts'
import { refuseHidden, refuseNul } from '../search/place.ts'

const NAMES = Object.keys(operations) as [LSPOperation, ...LSPOperation[]]

const parameters = z.strictObject({
  operation: z
    .enum(NAMES)
    .describe('The query. codeActions lists available fixes for problems in a line.'),
  filePath: z
    .string()
    .min(1)
    .describe(
      'Path of the file, absolute or relative to the working directory. For workspaceSymbol: any file of the project in that language. For workspaceDiagnostics: such a file, or a folder.',
    ),
  line: z.int().min(1).optional().describe('Line of the name, from 1.'),
  character: z
    .int()
    .min(1)
    .optional()
    .describe('Column of the name, in characters from 1; an emoji is one character.'),
  query: z
    .string()
    .max(1000)
    .optional()
    .describe('For workspaceSymbol: part of the name. Default: the name at line and character.'),
})

/** Arguments of LSP. */
export interface LSPArguments {
  readonly operation: LSPOperation
  readonly filePath: string
  readonly line?: number | undefined
  readonly character?: number | undefined
  readonly query?: string | undefined
}

/** Creates the LSP tool, which queries language servers. */
export function lspTool(
  host: Pick<Host, 'fileSystem' | 'files' | 'search' | 'language'>,
): Tool<LSPArguments, LSPResult> {
  return tool({
    name: 'LSP',
    description:
      'Query a language server: definitions, references, implementations, type and documentation of a name; symbols of a file or project; callers and callees of a function; errors in a file. Lines and characters count from 1.',
    parameters,
    access: canonicalTools.get('LSP')!,
    level: 2,
    idempotent: true,
    timeout: TIMEOUT,

    async execute(args, context) {
      const { signal, paths, mayShow } = context
      const { operation, filePath } = args
      refuseNul('filePath', filePath)
      const { language } = host
      if (!language)
        throw new ToolError(
          'execution_failed',
          'No language servers are available on this platform.',
          {
            code: 'no_servers',
          },
        )
      const { needs, run } = operations[operation]
      const isByPlace = needs === 'query' && args.query === undefined && args.line !== undefined
      const needed = needs ? NEEDED[isByPlace ? 'position' : needs] : []
      const missing = needed.filter((key) => args[key] === undefined)
      if (missing.length > 0) throw missingArguments(operation, missing)
      const reach = paths ? { paths } : {}
      if (operation === 'workspaceDiagnostics') {
        const facts = await host.files.stat(filePath, reach)
        if (facts?.kind === 'folder') {
          refuseHidden(filePath, facts.path, context, host.fileSystem)
          return await folderDiagnostics(facts.path, { language, host, signal, ...viewOf() })
        }
      }
      const loaded = await loadFile(host.files, filePath, { ...reach, signal })
      if (!loaded) throw await missingFile(host.files, filePath, { ...reach, mayShow })
      const { path } = loaded.facts
      refuseHidden(filePath, path, context, host.fileSystem)
      const { text } = textFileOf(loaded)
      const position =
        args.line !== undefined && needs !== undefined && (needs !== 'query' || isByPlace)
          ? positionIn(text, args.line, args.character ?? 1, displayName(filePath, host.fileSystem))
          : undefined
      const query = isByPlace ? nameAt(text, position!) : args.query
      const place = {
        path,
        text,
        position,
        query,
      }
      return await run({ language, host, place, signal, ...viewOf(place) })

      function viewOf(given?: {
        path: string
        text: string
      }): Pick<OperationContext, 'places' | 'leakCheck'> {
        const places = new VisiblePlaces(host, given, { mayShow, signal })
        const countHidden = places.countHidden.bind(places)
        const leakCheck = new LeakCheck({ language: language!, host, countHidden, mayShow, signal })
        return { places, leakCheck }
      }
    },

    show: (result, args) => showResult(result, placeShown(args)),
  })

  /** ` at src/a.ts:3:5` */
  function placeShown({ operation, filePath, line, character, query }: LSPArguments): string {
    const { needs } = operations[operation]
    if (needs === 'query' && query !== undefined) return `: ${JSON.stringify(query)}`
    if (operation === 'workspaceDiagnostics') return ''
    const name = displayName(filePath, host.fileSystem)
    return needs === undefined ? ` in ${name}` : ` at ${name}:${line}:${character ?? 1}`
  }
}

/** In milliseconds. A server may have to start and load the project. */
const TIMEOUT = 120_000

const NEEDED = {
  position: ['line', 'character'],
  line: ['line'],
  query: ['query'],
} as const

function missingArguments(operation: LSPOperation, missing: readonly string[]): ToolError {
  const message = `${operation} requires ${missing.join(' and ')}.`
  return new ToolError('invalid_input', message, { code: 'missing_argument', missing })
}

/** The name at a position, or directly before it. */
function nameAt(text: string, { line, character }: CodePosition): string {
  const content = linesIn(text)[line] ?? ''
  for (const { 0: name, index } of content.matchAll(/[\p{L}\p{N}_$]+/gu))
    if (index <= character && character <= index + name.length) return name
  throw new ToolError(
    'invalid_input',
    `workspaceSymbol requires query, or the line and character of a name; there is no name at ${line + 1}:${characterAt(content, character)}. The line is ${JSON.stringify(content.slice(0, 200))}.`,
    { code: 'missing_argument', missing: ['query'] },
  )
}

function positionIn(text: string, line: number, character: number, name: string): CodePosition {
  const lines = linesIn(text)
  const content = lines[line - 1]
  if (content === undefined)
    throw new ToolError(
      'invalid_input',
      `${name} has only ${lines.length} lines, so there is no line ${line}.`,
      {
        code: 'no_such_line',
      },
    )
  const units = unitsBefore(content, character)
  if (units === undefined)
    throw new ToolError(
      'invalid_input',
      `Line ${line} of ${name} has ${characterAt(content, content.length) - 1} characters, so there is no character ${character}. The line is ${JSON.stringify(content.slice(0, 200))}.`,
      { code: 'no_such_character' },
    )
  return { line: line - 1, character: units }
}
