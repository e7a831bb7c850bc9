import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** A separate journal and effects file for a program that is killed and restarted. */
export interface KillCase {
  readonly journal: string
  readonly effectsFile: string
  /** The lines written by effects. */
  effects(): string[]
  /** Starts the program. It is killed at this point, if given. */
  start(kill?: number): StartedProgram
}

/** A running program. */
export interface StartedProgram {
  readonly child: ChildProcess
  /** Resolves when the program has started. */
  readonly ready: Promise<void>
  readonly ended: Promise<{ signal: string | null; code: number | null; output: string }>
}

/** Creates a new case for a bundled program. */
export function createKillCase(folder: string, program: string): KillCase {
  const caseFolder = mkdtempSync(join(folder, 'case-'))
  const journal = join(caseFolder, 'journal.sqlite')
  const effects = join(caseFolder, 'effects.txt')
  return {
    journal,
    effectsFile: effects,
    effects: () => readFileSync(effects, 'utf8').split('\n').slice(0, -1),
    start(kill = 0) {
      const env = { ...process.env, FILE: journal, EFFECTS: effects, KILL: `${kill}` }
      const child = spawn(process.execPath, [program], { env, stdio: ['ignore', 'pipe', 'pipe'] })
      let output = ''
      child.stdout.on('data', (chunk) => (output += String(chunk)))
      child.stderr.on('data', (chunk) => (output += String(chunk)))
      const ended = once(child, 'close').then(([code, signal]) => ({ code, signal, output }))
      return { child, ended, ready: once(child.stdout, 'data').then(() => {}) }
    },
  }
}
