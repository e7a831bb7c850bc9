import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** A journal and effects of its own for one program, which is killed and started again. */
export interface Place {
  readonly journal: string
  /** The lines that effects left. */
  effects(): string[]
  /** Starts the program, to be killed at a point, if one is named. */
  start(kill?: number): Started
}

export interface Started {
  readonly child: ChildProcess
  /** It has begun with its program. */
  readonly ready: Promise<void>
  readonly ended: Promise<{ signal: string | null; code: number | null; output: string }>
}

export function placeIn(folder: string, program: string): Place {
  const own = mkdtempSync(join(folder, 'case-'))
  const journal = join(own, 'journal.sqlite')
  const effects = join(own, 'effects.txt')
  return {
    journal,
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
