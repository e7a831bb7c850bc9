import { resolve } from 'node:path'
import { Option, type Command } from 'commander'
import {
  type FindSettingsOptions,
  type LoadedSettings,
  loadSettings,
  removeTrust,
  trustedFolders,
  trustFile,
  trustFolder,
  userDirectories,
  UserError,
  grantsNothing,
  type SettingsFile,
  type SettingValue,
  type UntrustedGrants,
} from '@toolglot/workspace'
import {
  isYes,
  findFolder,
  printProblem,
  quote,
  realFolder,
  visibleLine,
  codeFilesOf,
  comesWithFolder,
} from '@toolglot/workspace/internal'
import { showExamples, trustExamples } from '../show/examples.ts'
import { toJson } from '../show/text/json.ts'
import { table } from '../show/text/table.ts'
import { colorsOf, write, type Terminal, type Colors } from '../terminal.ts'

interface Flags {
  readonly yes?: true
  readonly revoke?: true
  readonly list?: true
  readonly importClaude?: true
  readonly json?: true
}

/** `toolglot trust`: shows what a folder's settings would allow, and trusts the folder. */
export function addTrust(program: Command, terminal: Terminal): void {
  const { bold } = colorsOf(terminal.output, terminal.env)
  program
    .command('trust')
    .description("show what a folder's settings would allow, and ask whether to trust them")
    .argument('[folder]', 'the folder (default: the current one)')
    .option('-y, --yes', 'trust it without asking')
    .addOption(
      new Option('--revoke', 'stop trusting the folder and its subfolders').conflicts('yes'),
    )
    .addOption(new Option('--list', 'list the trusted folders').conflicts(['yes', 'revoke']))
    .option('--import-claude', "include the permissions in Claude Code's settings")
    .option('--json', 'print the result as JSON')
    .showHelpAfterError('Help: toolglot trust --help')
    .addHelpText('after', () => `\n${showExamples(bold('Examples:'), trustExamples)}`)
    .action(async (folder: string | undefined, flags: Flags) => {
      const { importClaude = false } = flags
      const options = { directories: userDirectories(terminal.env), importClaude }
      if (flags.list) return list(options, flags, terminal)
      const path = resolve(terminal.cwd, folder ?? '.')
      // Trust in a folder that no longer exists can still be revoked.
      return flags.revoke
        ? revoke(findFolder(path) ?? path, options, flags, terminal)
        : trust(realFolder(path), options, flags, terminal)
    })
}

async function trust(
  path: string,
  options: FindSettingsOptions,
  flags: Flags,
  terminal: Terminal,
): Promise<void> {
  const { output, env } = terminal
  const loaded = loadSettings(path, options)
  const { folder, files } = loaded
  const problems = files.flatMap((file) => file.problems)
  if (problems[0]) {
    throw new UserError(
      'data',
      `These settings cannot be trusted: ${printProblem(problems[0])}. Until this is fixed, every call needs approval`,
    )
  }
  // Users should see the settings before they agree to them.
  if (!flags.json) await write(output, showGrants(loaded, colorsOf(output, env)))
  const isTrusted = loaded.trust === 'trusted' || (await isAgreed(loaded, flags, terminal))
  if (isTrusted && loaded.trust !== 'trusted') trustFolder(loaded, options)
  if (flags.json) {
    const state = isTrusted ? 'trusted' : loaded.trust
    await write(
      output,
      `${toJson({ folder, trust: state, offer: grantsJson(loaded) }, { indent: 2 })}\n`,
    )
  }
  if (!isTrusted) {
    throw new UserError(
      'data',
      terminal.ask && !flags.json
        ? `${visibleLine(folder)} is not trusted.`
        : 'No terminal to confirm on; the folder is not trusted. Use --yes.',
    )
  }
  if (!flags.json) await write(output, `${visibleLine(folder)} is trusted.\n`)
}

async function isAgreed(
  { folder }: LoadedSettings,
  flags: Flags,
  terminal: Terminal,
): Promise<boolean> {
  if (flags.yes) return true
  if (!terminal.ask || flags.json) return false
  const answer = await terminal.ask(`Trust ${visibleLine(folder)}? [y/N] `)
  return isYes(answer)
}

async function revoke(
  folder: string,
  options: FindSettingsOptions,
  { json }: Flags,
  { output }: Terminal,
): Promise<void> {
  const removed = removeTrust(trustFile(options), folder).map((entry) => entry.folder)
  const trust = stateOf(folder, options)
  if (json) {
    await write(output, `${toJson({ folder, trust, removed }, { indent: 2 })}\n`)
  } else {
    const lines = removed.map((path) => `${visibleLine(path)} is no longer trusted.\n`)
    await write(output, lines.join('') || `${visibleLine(folder)} was not a trusted folder.\n`)
  }
  if (trust === 'trusted') {
    throw new UserError(
      'data',
      `${quote(folder)} is still trusted, because a parent folder is. Revoke trust in the parent instead. To find it: toolglot trust --list`,
    )
  }
}

async function list(
  options: FindSettingsOptions,
  { json }: Flags,
  { output }: Terminal,
): Promise<void> {
  const entries = trustedFolders(trustFile(options)).map(({ folder, time }) => ({
    folder,
    time,
    trust: stateOf(folder, options),
  }))
  if (json) return write(output, `${toJson(entries, { indent: 2 })}\n`)
  const rows = entries.map(({ folder, time, trust }) => [
    visibleLine(folder),
    trust,
    visibleLine(time),
  ])
  return write(output, rows.length > 0 ? table(rows) : 'No folder is trusted.\n')
}

function stateOf(folder: string, options: FindSettingsOptions): string {
  try {
    return loadSettings(folder, options).trust
  } catch {
    // The folder no longer exists.
    return 'gone'
  }
}

type PathText = UntrustedGrants['roots'][number]
type RuleText = UntrustedGrants['rules'][number]

/** The effects of a folder's settings once it is trusted, for the user who decides. */
function showGrants({ folder, files, trust, grants }: LoadedSettings, colors: Colors): string {
  const { bold, yellow } = colors
  const { rules, roots, protocols, values, mode } = grants
  const code = values.flatMap((value) => codeFilesOf(value) ?? [])
  const data = values.filter((value) => !codeFilesOf(value))
  const parts = [
    `${bold(visibleLine(folder))}\n`,
    trust === 'changed'
      ? `${yellow('Its settings have changed since you trusted this folder.')}\n`
      : '',
    grantsNothing(grants) ? 'Its settings contain nothing that requires trust.\n' : '',
    section(bold('Would run without approval:'), rules.map(rowOf)),
    section(bold('Would be added to the workspace:'), roots.map(rowOf)),
    section(bold('Code that would be loaded and run:'), [...protocols, ...code].map(rowOf)),
    section(bold('Would be set:'), data.map(rowOf)),
    mode ? `${bold('Permission mode would be:')} ${mode}\n` : '',
    section(
      bold('Denied or needs approval in any case:'),
      files.filter(comesWithFolder).flatMap(restrictions),
    ),
  ]
  parts.push('Protocols could also be loaded from files in this folder: --protocol ./mine.ts\n')
  return parts.filter((part) => part !== '').join('\n')
}

/** The effects of a folder's settings, for programs. */
function grantsJson({ grants }: LoadedSettings): object {
  const { rules, roots, protocols, values, mode } = grants
  const pathOf = ({ path, source }: PathText): object => ({ path, ...source })
  return {
    allow: rules.map(({ text, source }) => ({ rule: text, ...source })),
    roots: roots.map(pathOf),
    protocols: protocols.map(pathOf),
    settings: values.map(({ key, value, source }) => ({ key, value, ...source })),
    mode,
  }
}

function section(title: string, rows: string[][]): string {
  return rows.length === 0 ? '' : `${title}\n${table(rows)}`
}

function restrictions({ rules }: SettingsFile): string[][] {
  return rules.filter(({ verdict }) => verdict !== 'allow').map(rowOf)
}

function rowOf(item: RuleText | PathText | SettingValue): string[] {
  const { file = '', line } = item.source
  return [`  ${visibleLine(textOf(item))}`, visibleLine(`${file}:${line ?? ''}`)]
}

function textOf(item: RuleText | PathText | SettingValue): string {
  if ('text' in item) return item.text
  return 'path' in item ? item.path : `${item.key}: ${JSON.stringify(item.value)}`
}
