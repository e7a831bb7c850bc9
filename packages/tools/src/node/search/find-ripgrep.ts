import { statSync } from 'node:fs'
import { delimiter, isAbsolute, join } from 'node:path'
import { ToolError } from '@toolglot/agent'
import { isProgram, liesIn } from '../../paths/programs.ts'

export interface FindOptions {
  readonly environment?: Readonly<Record<string, string | undefined>>
  /** The workspace: what lies in it is not trusted to be a program. */
  readonly roots?: readonly string[]
}

/** Where ripgrep is: as `RG_PATH` says, as it was installed with this package, or as the system has it. */
export async function findRipgrep(options: FindOptions = {}): Promise<string> {
  const { environment = process.env, roots = [] } = options
  const told = environment['RG_PATH']
  if (told) {
    const problem = distrust(told, roots)
    if (problem) throw missing(`RG_PATH is ${JSON.stringify(told)}, which ${problem}.`)
    return told
  }
  const found = (await installed()) ?? onSystemPath(environment['PATH'] ?? '', roots)
  if (found === undefined)
    throw missing('Neither @vscode/ripgrep for this platform nor rg in a system folder was found.')
  return found
}

function missing(why: string): ToolError {
  return new ToolError(
    'execution_failed',
    `Searching needs ripgrep. ${why} Install it, or set RG_PATH to the absolute path of rg.`,
    { code: 'no_ripgrep' },
  )
}

async function installed(): Promise<string | undefined> {
  try {
    const { rgPath } = await import('@vscode/ripgrep')
    return isProgram(rgPath) ? rgPath : undefined
  } catch {
    // The package has no binary for this platform, and says so by throwing.
    return undefined
  }
}

const SYSTEM_FOLDERS = [
  '/usr/bin',
  '/bin',
  '/usr/local/bin',
  '/opt/homebrew/bin',
  '/opt/local/bin',
  '/run/current-system/sw/bin',
]

function onSystemPath(path: string, roots: readonly string[]): string | undefined {
  return path
    .split(delimiter)
    .filter((folder) => SYSTEM_FOLDERS.includes(folder))
    .map((folder) => join(folder, 'rg'))
    .find((program) => distrust(program, roots) === undefined)
}

/** Why a program is not to be started; undefined: it may be. */
function distrust(program: string, roots: readonly string[]): string | undefined {
  if (!isAbsolute(program)) return 'is not an absolute path'
  if (liesIn(program, roots)) return 'lies in the workspace'
  if (!isProgram(program)) return 'is not a program'
  return (statSync(program).mode & 0o022) === 0 ? undefined : 'others can write to'
}
