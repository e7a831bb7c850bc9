import type { RunSummary } from '@toolglot/agent/journal'
import type { RunFlags } from '../commands/run-flags.ts'
import { shellWord } from './text/shell-word.ts'

/** The command that resumes a run, from the current folder. */
export function resumeCommand(
  { run, folder }: Pick<RunSummary, 'run' | 'folder'>,
  cwd: string,
): string {
  const place = folder === undefined || folder === cwd ? [] : ['--cwd', folder]
  return commandLine(['toolglot', 'run', '--resume', run, ...place])
}

/** The command that resumes a run with the model, the protocol and the folder that were named before. */
export function resumeAgain(
  command: 'run' | 'chat',
  run: string,
  { model, protocol, cwd }: Pick<RunFlags, 'model' | 'protocol' | 'cwd'>,
): string {
  const named = [
    ['--model', model],
    ['--protocol', protocol],
    ['--cwd', cwd],
  ] as const
  const flags = named.flatMap(([flag, value]) => (value === undefined ? [] : [flag, value]))
  return commandLine(['toolglot', command, '--resume', run, ...flags])
}

function commandLine(words: readonly string[]): string {
  return words.map(shellWord).join(' ')
}
