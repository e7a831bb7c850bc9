import type { Command } from 'commander'
import {
  changeUserSettings,
  settingsSchema,
  userDirectories,
  UserError,
  userSettingsFile,
} from '@toolglot/workspace'
import {
  allSettings,
  findSetting,
  printProblem,
  refuseInvalidRules,
  type Setting,
  settingEntries,
  visibleLine,
} from '@toolglot/workspace/internal'
import { type WorkspaceFlags, workspaceOf } from '../open-workspace.ts'
import { configExamples, showExamples } from '../show/examples.ts'
import { toJson } from '../show/text/json.ts'
import { table } from '../show/text/table.ts'
import { colorsOf, columnsOf, write, type Terminal, warn } from '../terminal.ts'
import { addWorkspaceFlags } from './flags.ts'

interface Flags extends WorkspaceFlags {
  readonly json?: true
}

/** `toolglot config`: shows the settings and changes the user's own. */
export function addConfig(program: Command, terminal: Terminal): void {
  const { output, env } = terminal
  const { bold } = colorsOf(output, env)
  const key = ['<key>', 'such as model or permissions.mode'] as const
  const config = program
    .command('config')
    .description('show the settings in effect and their sources; change your own')
  addWorkspaceFlags(config)
    .option('--json', 'print the settings as JSON')
    .showHelpAfterError('Help: toolglot config --help')
    .addHelpText('after', () => `\n${showExamples(bold('Examples:'), configExamples)}`)
    .action((flags: Flags) => list(flags, terminal))
  config
    .command('get')
    .description('print the value in effect')
    .argument(...key)
    .action((name: string, _: object, command: Command) =>
      get(findSetting(name), command.optsWithGlobals(), terminal),
    )
  config
    .command('set')
    .description('set a value in your settings')
    .argument(...key)
    .argument('<value...>', 'the value; several values make a list')
    .action((name: string, values: string[]) => set(name, values, terminal))
  config
    .command('unset')
    .description('remove a key from your settings')
    .argument(...key)
    .action(async (name: string) => {
      const file = changeUserSettings(userDirectories(env), findSetting(name).key, undefined)
      await write(output, `Removed ${name} from ${visibleLine(file)}.\n`)
    })
  config
    .command('schema')
    .description('print the JSON Schema of settings files')
    .action(() => write(output, settingsSchema()))
}

/** All settings, the scope with the highest precedence first. */
async function shownIn(
  flags: WorkspaceFlags,
  terminal: Terminal,
): Promise<ReturnType<typeof settingEntries>> {
  const workspace = await workspaceOf(flags, terminal)
  const { problems, warnings } = workspace.settings
  for (const problem of [...problems, ...warnings]) warn(printProblem(problem), terminal)
  return settingEntries(workspace)
}

async function list({ json, ...flags }: Flags, terminal: Terminal): Promise<void> {
  const { output, env } = terminal
  const all = await shownIn(flags, terminal)
  if (json) {
    const flat = all.map(({ key, value, counts, source }) => ({ key, value, counts, ...source }))
    return write(output, `${toJson(flat, { indent: 2 })}\n`)
  }
  const file = userSettingsFile(userDirectories(env))
  if (all.length === 0) {
    const keys = allSettings().map(({ key, about }) => [`  ${key}`, about.split('. ')[0] ?? ''])
    const shown = table(keys, undefined, columnsOf(output))
    return write(output, `No settings yet. Yours go in ${visibleLine(file)}:\n${shown}`)
  }
  const rows = all.map(({ key, value, counts, source }) => [
    key,
    visibleLine(textOf(value)),
    source.scope,
    visibleLine(`${source.file ?? ''}${source.line === undefined ? '' : `:${source.line}`}`),
    counts ? '' : 'not in effect',
  ])
  const { bold } = colorsOf(output, env)
  return write(
    output,
    table(rows, (cell, _, column) => (column === 0 ? bold(cell) : cell)),
  )
}

async function get({ key, kind }: Setting, flags: Flags, terminal: Terminal): Promise<void> {
  const values = (await shownIn(flags, terminal)).flatMap((said) =>
    said.counts ? [valueIn(said, key) ?? []].flat() : [],
  )
  const shown = kind === 'list' ? values : values.slice(0, 1)
  if (shown.length === 0) {
    throw new UserError(
      'data',
      `${key} has no value. Set it with: toolglot config set ${key} VALUE`,
    )
  }
  await write(terminal.output, shown.map((value) => `${visibleLine(textOf(value))}\n`).join(''))
}

async function set(name: string, values: readonly string[], terminal: Terminal): Promise<void> {
  if (/(^|[._-])(api)?_?(key|token|secret|password)s?$/i.test(name)) {
    throw new UserError(
      'usage',
      'Secrets do not go in the settings. Put them in the environment: export OPENAI_API_KEY=…',
    )
  }
  const { key, kind } = findSetting(name)
  if (kind !== 'list' && values.length > 1) {
    throw new UserError(
      'usage',
      `${key} takes one value, not ${values.length}. Put the value in quotes`,
    )
  }
  const verdict = VERDICTS.find((each) => key === `permissions.${each}`)
  if (verdict) {
    const { tools } = await (await workspaceOf({}, terminal)).permissions()
    refuseInvalidRules({ verdict, source: { scope: 'user' } }, values, tools)
  }
  const value = kind === 'list' ? values : valueOf(values[0]!, kind)
  const file = changeUserSettings(userDirectories(terminal.env), key, value)
  await write(terminal.output, `Set ${key} in ${visibleLine(file)}.\n`)
}

/**
 * The value of a key in an entry. The entry may be for the object around it: `limits` for
 * `limits.maxIterations`.
 */
function valueIn(said: { readonly key: string; readonly value: unknown }, key: string): unknown {
  if (said.key === key) return said.value
  const member = key.startsWith(`${said.key}.`) ? key.slice(said.key.length + 1) : ''
  return (Object(said.value) as Record<string, unknown>)[member]
}

const VERDICTS = ['allow', 'ask', 'deny'] as const

function valueOf(text: string, kind: 'text' | 'json'): unknown {
  if (kind === 'text') return text
  try {
    return JSON.parse(text) as unknown
  } catch {
    // The value is not JSON.
    throw new UserError('usage', 'The value is not valid JSON. Put it in single quotes')
  }
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}
