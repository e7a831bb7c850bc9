import { Option, type Command } from 'commander'
import { aliasTools, type Tool } from '@toolglot/agent'
import { jsonSchemaOf } from '@toolglot/agent/internal'
import { type OpenTools, openTools, type Workspace } from '@toolglot/workspace'
import { visibleLine } from '@toolglot/workspace/internal'
import { Exit } from '../exit.ts'
import { loadTools } from '../input/tools.ts'
import { showExamples, toolsExamples } from '../show/examples.ts'
import { toJson } from '../show/text/json.ts'
import { wrap } from '../show/text/table.ts'
import { colorsOf, columnsOf, write, type Colors, type Terminal, warn } from '../terminal.ts'
import { type WorkspaceFlags, workspaceWithWarnings } from '../open-workspace.ts'
import { createStopSignal } from '../process-events.ts'
import { addWorkspaceFlags } from './flags.ts'

interface Flags extends WorkspaceFlags {
  readonly json?: true
  readonly aliases?: true
  readonly lint?: true | string
}

/** `toolglot tools`: lists the tools. */
export function addTools(program: Command, terminal: Terminal): void {
  const colors = colorsOf(terminal.output, terminal.env)
  const command = program
    .command('tools')
    .description('list the tools and their parameters, by level')
  addWorkspaceFlags(command)
    .option('--json', 'print the tools in the OpenAI format')
    .option('--aliases', 'list the aliases and their parameters instead')
    .addOption(new Option('--lint [file]', 'check these tools, or those in a file, for problems'))
    .showHelpAfterError('Help: toolglot tools --help')
    .addHelpText('after', () => `\n${showExamples(colors.bold('Examples:'), toolsExamples)}`)
    .action(async ({ json, lint, aliases, ...flags }: Flags) => {
      const workspace = await workspaceWithWarnings(flags, terminal)
      // The descriptions of MCP servers are not checked, because users cannot fix them.
      const { tools, disabled } = await listTools(
        workspace,
        { servers: lint === undefined },
        terminal,
      )
      const others = aliasTools(tools)
      const columns = columnsOf(terminal.output)
      const all = aliases ? others : [...tools.values()]
      if (lint !== undefined) return showLint(all, lint, terminal)
      await write(
        terminal.output,
        json
          ? `${toJson(all.map(openAiForm), { indent: 2 })}\n`
          : `${show(all, columns, colors)}${aliases ? '' : showNames(others, columns, colors) + showDisabled(disabled, columns, colors)}`,
      )
    })
}

/** The tools of a workspace. MCP servers are started only to list their tools. */
async function listTools(
  workspace: Workspace,
  { servers }: { readonly servers: boolean },
  terminal: Terminal,
): Promise<Pick<OpenTools, 'tools' | 'disabled'>> {
  const stop = createStopSignal()
  try {
    const { tools, disabled, warnings, close } = await openTools(workspace, {
      startServer: () => servers,
      keepsNothing: true,
      signal: stop.signal,
    })
    for (const warning of warnings) warn(warning, terminal)
    await close()
    return { tools, disabled }
  } finally {
    stop.forget()
  }
}

function openAiForm({ name, description, parameters }: Tool): object {
  return { type: 'function', function: { name, description, parameters: jsonSchemaOf(parameters) } }
}

function show(tools: readonly Tool[], columns: number, { bold, dim, cyan }: Colors): string {
  return [1, 2, 3]
    .map((level) => ({ level, all: tools.filter((tool) => (tool.level ?? 3) === level) }))
    .filter(({ all }) => all.length > 0)
    .map(({ level, all }) => {
      const each = all.map((tool) => {
        const { properties = {}, required = [] } = jsonSchemaOf(tool.parameters) as {
          properties?: Record<string, unknown>
          required?: readonly string[]
        }
        const names = Object.keys(properties).map((key) =>
          required.includes(key) ? key : `${key}?`,
        )
        const head = `${bold(tool.name)}  ${dim(visibleLine(`{${names.join(', ')}}`))}`
        const [about = ''] = tool.description.split('\n')
        return indented(head, 2, columns) + indented(visibleLine(about), 4, columns)
      })
      return `${cyan(`Level ${level}`)}\n${each.join('')}`
    })
    .join('\n')
}

/** Indents and wraps a text. */
function indented(text: string, indent: number, columns: number): string {
  const space = ' '.repeat(indent)
  return wrap(text, columns - indent)
    .map((line) => `${space}${line}\n`)
    .join('')
}

function showNames(tools: readonly Tool[], columns: number, { cyan }: Colors): string {
  const names = tools.map(({ name }) => name).join(', ')
  return `\n${cyan('Other names')}\n${indented(names, 2, columns)}`
}

function showDisabled(disabled: OpenTools['disabled'], columns: number, { cyan }: Colors): string {
  if (disabled.size === 0) return ''
  const each = [...disabled.values()].map(({ reason }) => indented(visibleLine(reason), 2, columns))
  return `\n${cyan('Turned off')}\n${each.join('')}`
}

async function showLint(
  own: readonly Tool[],
  lint: true | string,
  terminal: Terminal,
): Promise<void> {
  const tools =
    lint === true
      ? own.map(({ name, description, parameters }) => ({
          name,
          description,
          parameters: jsonSchemaOf(parameters),
        }))
      : await loadTools(lint)
  const { lintTools } = await import('@toolglot/tools')
  const problems = lintTools(tools)
  const lines = problems.map(
    ({ tool, parameter, message }) =>
      `${tool}${parameter === undefined ? '' : `, ${parameter}`}: ${message}\n`,
  )
  await write(terminal.output, lines.join('') || `No problems in ${tools.length} tools\n`)
  if (problems.length > 0) throw new Exit(1)
}
