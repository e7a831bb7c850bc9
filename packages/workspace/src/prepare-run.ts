import { randomBytes } from 'node:crypto'
import { realpathSync } from 'node:fs'
import { join } from 'node:path'
import type { Limits, Tool } from '@toolglot/agent'
import { type Instructions, printInstructions, type InstructionFile } from '@toolglot/agent/context'
import type { Journal } from '@toolglot/agent/journal'
import type { FileSystemView, Permissions, RuleSource } from '@toolglot/permissions'
import { unknownName } from '@toolglot/permissions/errors/internal'
import { aliases } from '@toolglot/permissions/internal'
import { readTextFile } from '@toolglot/permissions/node/internal'
import { openJournal } from './journal.ts'
import { settingValues } from './settings/keys/key.ts'
import { limitSettings } from './settings/keys/limits.ts'
import { temperature as temperatureKey } from './settings/keys/model.ts'
import { rulesWithoutTool } from './settings/permissions-of.ts'
import { printProblem } from './settings/settings-file.ts'
import { type OpenTools, openTools, type OpenToolsOptions } from './tools/open-tools.ts'
import { UserError } from './user-error.ts'
import { quote } from './visible.ts'
import type { Workspace } from './workspace.ts'
import { gitRoot, isInside, upwards } from './inside.ts'
import type { UserDirectories } from './user-directories.ts'

/**
 * The prepared parts of a run in a workspace: tools, permissions, system prompt and journal. Call
 * `close` after the run.
 */
export interface RunSetup extends Omit<OpenTools, 'warnings'> {
  readonly workspace: Workspace
  readonly permissions: Permissions
  readonly fileSystem: FileSystemView
  readonly journal: Journal
  /**
   * Returns the system prompt for a model with this context size, and notes for the user about
   * omitted parts. A small context gets less of the instruction files.
   */
  readonly systemFor: (contextTokens: number | undefined) => SystemPrompt
  /** Text in the system prompt that may come from an untrusted source. */
  readonly untrusted: readonly string[]
  readonly warnings: readonly string[]
  /** The limits in the settings. */
  readonly limits: Partial<Limits>
  /** The temperature in the settings. */
  readonly temperature?: number
}

/** A system prompt, and notes for the user. */
interface SystemPrompt {
  readonly text: string
  readonly notes: readonly string[]
}

/** Options for `prepareRun`. */
export interface PrepareRunOptions extends OpenToolsOptions {
  /** Replaces the default system prompt. */
  readonly system?: string | undefined
  /**
   * The only tools to offer, by name, alias or MCP server, most important first. Default: all tools
   * that settings have not disabled.
   */
  readonly only?: readonly string[] | undefined
  /** An open journal to use. `close` does not close it. Default: the user's journal. */
  readonly journal?: Journal | undefined
  /** Open tools to use. `close` does not close them. Default: open new ones. */
  readonly opened?: OpenTools | undefined
  /** Called with the journal's messages for people. */
  readonly warn?: ((message: string) => void) | undefined
}

/**
 * Opens all resources needed for a run in a workspace. Throws a UserError if the workspace's
 * options contain an invalid rule.
 */
export async function prepareRun(
  workspace: Workspace,
  { system: given, only, journal: open, opened: tools, warn, ...options }: PrepareRunOptions = {},
): Promise<RunSetup> {
  const permissions = await workspace.permissions()
  const invalid = invalidRules(permissions)
  // Settings may have disabled tools since these were opened.
  const opened = (tools ?? (await openTools(workspace, options))).withTogglesOf(workspace)
  try {
    const offered = only === undefined ? opened.tools : selectTools(opened, only)
    const { folder, directories, trust } = workspace
    const found = findInstructions(folder, { directories })
    const instructionsFor = (maxCharacters?: number): Instructions =>
      printInstructions(found.files, {
        trusted: trust === 'trusted',
        maxCharacters,
      })
    const instructions = instructionsFor()
    const system = given ?? defaultSystem(folder, offered.size > 0)
    const [temperature] = settingValues(workspace.settings, temperatureKey)
    const journal = open ?? openJournal(directories, warn)
    return {
      ...opened,
      tools: offered,
      workspace,
      permissions,
      fileSystem: opened.host.fileSystem,
      journal,
      systemFor(contextTokens = Infinity) {
        // About a quarter of the context, since a token has three to four characters.
        const fitting = instructionsFor(Math.min(MAX_INSTRUCTIONS, contextTokens))
        return {
          text: [system, fitting.text].filter((part) => part !== '').join('\n\n'),
          notes: fitting.notes.filter((note) => !instructions.notes.includes(note)),
        }
      },
      untrusted: instructions.untrusted,
      limits: limitSettings(workspace.settings),
      ...(temperature && { temperature: temperature.value }),
      warnings: [
        ...workspace.warnings,
        ...invalid,
        ...rulesWithoutTool(workspace.settings, permissions.tools).map(({ text, source }) =>
          warningAt(source, `unknown tool ${quote(text)}, so this rule has no effect`),
        ),
        ...opened.warnings,
        ...found.problems,
        ...instructions.notes,
      ],
      async close() {
        try {
          if (!tools) await opened.close()
        } finally {
          if (!open) await journal.close()
        }
      },
    }
  } catch (error) {
    // MCP servers may already be running.
    if (!tools) await Promise.allSettled([opened.close()])
    throw error
  }
}

const MAX_INSTRUCTIONS = 40_000

function defaultSystem(folder: string, hasTools: boolean): string {
  return hasTools
    ? `Help the user with the files in ${folder}. Look with your tools before you answer or change anything. Answer in the user's language and say what you did.`
    : "Help the user. You have no tools, so you can neither see nor change files. Answer in the user's language."
}

/**
 * Throws a UserError if the workspace's options contain an invalid rule, before any resource is
 * opened.
 */
export async function checkRules(workspace: Workspace): Promise<void> {
  invalidRules(await workspace.permissions())
}

/**
 * Warnings about invalid rules. While there are any, no tool runs. Throws a UserError for a rule
 * from the command line.
 */
function invalidRules({ problems = [] }: Permissions): string[] {
  const warnings = problems.map(({ text, problem, source }) => {
    const what = `Invalid rule ${quote(text)}: ${problem}`
    if (source.file === undefined && source.scope === 'cli') throw new UserError('usage', what)
    return warningAt(source, what)
  })
  return warnings.length > 0 ? [...warnings, 'until this is fixed, no tools run'] : []
}

/** A warning about a rule, with its file and line. */
function warningAt({ file, line, scope }: RuleSource, reason: string): string {
  return printProblem({ file: file ?? `(${scope})`, line, reason })
}

/**
 * Selects tools in the given order: by name, alias, toolkit or MCP server (`mcp__github`). Throws a
 * UserError for a name that matches no tool, or only tools disabled by settings.
 */
function selectTools(
  { tools, whyDisabled }: Pick<OpenTools, 'tools' | 'whyDisabled'>,
  names: readonly string[],
): ReadonlyMap<string, Tool> {
  const all = [...tools.values()]
  const found = names.flatMap((name) => {
    const meant = aliases.get(name)?.tool ?? name.replace(/__\*$/, '')
    const named = all.filter((tool) => namesOf(tool).includes(meant))
    if (named.length === 0) throw unknownTool(name, all, whyDisabled(name)?.reason)
    return named
  })
  return new Map(found.map((tool) => [tool.name, tool]))
}

function namesOf({ name, server, toolkit }: Tool): readonly string[] {
  const kit = server === undefined ? toolkit : `mcp__${server}`
  return kit === undefined ? [name] : [name, kit]
}

function unknownTool(name: string, all: readonly Tool[], disabled: string | undefined): UserError {
  const names = [...new Set(all.flatMap(namesOf))]
  return new UserError('usage', disabled ?? unknownName('tool', name, names, [...aliases.keys()]))
}

/** Creates a run id that is easy to type. */
export function newRun(): string {
  return `run-${randomBytes(5).toString('hex')}`
}

/** The instruction files that apply to a folder, and those that could not be read. */
interface FoundInstructions {
  readonly files: readonly InstructionFile[]
  readonly problems: readonly string[]
}

/**
 * The names of instruction files in each folder of a project. The first existing file of each row
 * is used.
 */
const INSTRUCTION_FILES: readonly (readonly string[])[] = [
  ['AGENTS.md', 'CLAUDE.md', 'GEMINI.md', '.github/copilot-instructions.md'],
  ['.toolglot/instructions.md'],
]

/**
 * Finds the user's own instructions, then the project's: from the root of the repository down to
 * the folder, so that the nearest ones come last. Without a repository, only the folder itself is
 * searched.
 */
export function findInstructions(
  folder: string,
  { directories }: { readonly directories: Pick<UserDirectories, 'config'> },
): FoundInstructions {
  const files: InstructionFile[] = []
  const problems: string[] = []
  const look = (path: string, scope: InstructionFile['scope'], root?: string): boolean => {
    const found = readOne(path, root)
    if (found === undefined) return false
    if ('reason' in found) problems.push(`${path}: ${found.reason}.`)
    else files.push({ path, text: found.text, scope })
    return true
  }
  look(join(directories.config, 'instructions.md'), 'user')
  const root = gitRoot(folder) ?? folder
  for (const at of foldersFrom(root, folder)) {
    for (const names of INSTRUCTION_FILES)
      names.some((name) => look(join(at, name), 'project', root))
  }
  return { files, problems }
}

function foldersFrom(root: string, folder: string): string[] {
  const inside: string[] = []
  for (const at of upwards(folder)) {
    inside.unshift(at)
    if (at === root) break
  }
  return inside
}

/** Returns undefined if the file does not exist. */
function readOne(
  path: string,
  root: string | undefined,
): { readonly text: string } | { readonly reason: string } | undefined {
  let real: string
  try {
    real = realpathSync.native(path)
    if (root !== undefined && !isInside(real, realpathSync.native(root)))
      return { reason: 'it is a link that points outside of the project' }
  } catch (error) {
    // No such file, a circular link, or an unreadable folder.
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined
    return { reason: `it cannot be read (${code ?? String(error)})` }
  }
  const content = readTextFile(real, LARGEST)
  if ('missing' in content) return undefined
  return 'reason' in content ? content : { text: content.text.replace(/^\ufeff/, '') }
}

const LARGEST = 256 << 10
