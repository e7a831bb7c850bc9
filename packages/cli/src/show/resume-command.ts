import type { RunSummary } from '@toolglot/agent/journal'
import type { RunFlags } from '../commands/run-flags.ts'
import type { WaitingFlags } from '../run/run-options.ts'
import { shellWord } from './text/shell-word.ts'

/** The command that resumes a run, from the current folder. */
export function resumeCommand(
  { run, folder }: Pick<RunSummary, 'run' | 'folder'>,
  cwd: string,
): string {
  const place = folder === undefined || folder === cwd ? [] : ['--cwd', folder]
  return commandLine(['toolglot', 'run', '--resume', run, ...place])
}

/** The command that resumes a run with the options of its start. */
export function resumeAgain(
  command: 'run' | 'chat',
  run: string,
  flags: RunFlags & WaitingFlags,
): string {
  const { tools, interactive, importClaude, attended, suspend } = flags
  const words = [
    ...NAMED.flatMap(([flag, name]) => {
      const value = flags[name]
      return value === undefined ? [] : [flag, String(value)]
    }),
    ...REPEATED.flatMap(([flag, name]) => (flags[name] ?? []).flatMap((value) => [flag, value])),
    ...(tools === false ? ['--no-tools'] : tools ? ['--tools', tools.join(',')] : []),
    ...(importClaude ? ['--import-claude'] : []),
    ...(interactive ? [] : ['--no-interactive']),
    ...(attended ? ['--attended'] : []),
    ...(suspend ? ['--suspend'] : []),
  ]
  return commandLine(['toolglot', command, '--resume', run, ...words])
}

const NAMED = [
  ['--model', 'model'],
  ['--protocol', 'protocol'],
  ['--cwd', 'cwd'],
  ['--context', 'context'],
  ['--temperature', 'temperature'],
  ['--max-turns', 'maxTurns'],
  ['--mode', 'mode'],
] as const satisfies readonly (readonly [string, keyof RunFlags])[]

const REPEATED = [
  ['--allow', 'allow'],
  ['--ask', 'ask'],
  ['--deny', 'deny'],
  ['--settings', 'settings'],
] as const satisfies readonly (readonly [string, keyof RunFlags])[]

function commandLine(words: readonly string[]): string {
  return words.map(shellWord).join(' ')
}
