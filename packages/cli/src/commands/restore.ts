import { lstatSync, readdirSync, readlinkSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import type { Command } from 'commander'
import { readTextFile } from '@toolglot/permissions/node/internal'
import {
  asideFolder,
  listMovedAside,
  type MovedAside,
  prepareRestore,
} from '@toolglot/tools/internal'
import { userDirectories, UserError } from '@toolglot/workspace'
import { isYes, quote, visibleLine } from '@toolglot/workspace/internal'
import { restoreExamples, showExamples } from '../show/examples.ts'
import { toJson } from '../show/text/json.ts'
import { table, truncate } from '../show/text/table.ts'
import { colorsOf, type Terminal, write } from '../terminal.ts'

interface Flags {
  readonly yes?: true
  readonly json?: true
}

/** `toolglot restore`: lists protected files that commands created, and puts them back. */
export function addRestore(program: Command, terminal: Terminal): void {
  const { bold } = colorsOf(terminal.output, terminal.env)
  program
    .command('restore')
    .description('list protected files created by commands, or put one back')
    .argument('[id]', 'the file to put back (default: list all of them)')
    .option('-y, --yes', 'put it back without asking')
    .option('--json', 'print the result as JSON')
    .showHelpAfterError('Help: toolglot restore --help')
    .addHelpText('after', () => `\n${showExamples(bold('Examples:'), restoreExamples)}`)
    .action((id: string | undefined, flags: Flags) => {
      const store = asideFolder(userDirectories(terminal.env).state)
      return id === undefined ? list(store, flags, terminal) : restore(id, store, flags, terminal)
    })
}

async function list(store: string, { json }: Flags, { output }: Terminal): Promise<void> {
  const items = listMovedAside(store)
  if (json) return await write(output, `${toJson(items.map(itemJson), { indent: 2 })}\n`)
  if (items.length === 0) return await write(output, 'No files were moved aside.\n')
  const rows = items.map(({ id, path, why, time }) => [
    id,
    visibleLine(path),
    why,
    new Date(time).toISOString(),
  ])
  await write(output, `${table(rows)}\nPut one back with: toolglot restore ID\n`)
}

function itemJson({ id, path, at, why, time }: MovedAside): object {
  return { id, path, why, time: new Date(time).toISOString(), at }
}

async function restore(id: string, store: string, flags: Flags, terminal: Terminal): Promise<void> {
  const { output } = terminal
  const item = listMovedAside(store).find((each) => each.id === id)
  if (!item)
    throw new UserError(
      'data',
      `No file has the id ${quote(id)}. List the ids with: toolglot restore`,
    )
  const failed = (error: unknown): never => {
    throw new UserError('data', problem(item, error as NodeJS.ErrnoException))
  }
  const restoration = await prepareRestore(item, store).catch(failed)
  try {
    // Users should see a file before they agree to restore it.
    if (!flags.json) await write(output, show({ ...item, at: restoration.at }, terminal))
    if (!flags.yes && !(await isAgreed(flags, terminal)))
      throw new UserError(
        'data',
        terminal.ask && !flags.json
          ? 'It was not put back.'
          : 'No terminal to confirm on, so it was not put back. Use --yes.',
      )
    await restoration.putBack().catch(failed)
  } finally {
    await restoration.cancel()
  }
  const done = flags.json
    ? toJson(itemJson(item), { indent: 2 })
    : `${visibleLine(item.path)} is back.`
  await write(output, `${done}\n`)
}

async function isAgreed({ json }: Flags, { ask }: Terminal): Promise<boolean> {
  return ask !== undefined && !json && isYes(await ask('Put it back? [y/N] '))
}

function problem({ path, at }: MovedAside, { code, message }: NodeJS.ErrnoException): string {
  const around = dirname(path)
  const copy = `or copy it yourself from ${at}`
  const reasons: Readonly<Record<string, string>> = {
    ENOENT: `The folder ${around} no longer exists. Create it first, ${copy}.`,
    ENOTDIR: `${around} is no longer a folder, or in a link. Replace that first, ${copy}.`,
    ENOSPC: `No space left for ${path}. Free some space first.`,
    EDQUOT: `No space left for ${path}. Free some space first.`,
  }
  return visibleLine(reasons[code ?? ''] ?? `It was not put back: ${message}, ${copy}.`)
}

const MAX_LINES = 40
const MAX_WIDTH = 200
/** The maximum size, in bytes. */
const MAX_SIZE = 1 << 20

function show({ path, why, at }: MovedAside, { output, env }: Terminal): string {
  const { bold, dim } = colorsOf(output, env)
  const { lines, more } = contentOf(at)
  return [
    bold(visibleLine(path)),
    `A command created it. Protected: ${why}.`,
    '',
    ...lines.slice(0, MAX_LINES).map((line) => `  ${truncate(visibleLine(line), MAX_WIDTH)}`),
    ...(more || lines.length > MAX_LINES ? [dim(visibleLine(`  … see the rest in ${at}`))] : []),
    '',
    '',
  ].join('\n')
}

interface Content {
  readonly lines: readonly string[]
  readonly more?: boolean
}

function contentOf(at: string): Content {
  const found = lstatSync(at)
  if (found.isSymbolicLink()) return { lines: [`a link to ${readlinkSync(at)}`] }
  if (found.isDirectory()) return treeOf(at)
  const content = readTextFile(at, MAX_SIZE, { followLinks: false })
  if (!('text' in content))
    return { lines: ['reason' in content ? `not shown, because ${content.reason}` : 'missing'] }
  return { lines: content.text.replace(/\n$/, '').split('\n') }
}

/** The names in a folder and its subfolders, within the limits for display. */
function treeOf(top: string): Content {
  const lines: string[] = []
  const folders = [top]
  for (const folder of folders) {
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      if (lines.length === MAX_LINES) return { lines, more: true }
      const path = join(folder, entry.name)
      lines.push(`${relative(top, path)}${entry.isDirectory() ? '/' : ''}`)
      if (entry.isDirectory()) folders.push(path)
    }
  }
  if (lines.length === 0) return { lines: ['an empty folder'] }
  // The contents of further files aren't shown.
  return { lines: lines.sort(), more: true }
}
