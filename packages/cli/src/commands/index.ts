// Folder: One file per command.
import type { Command } from 'commander'
import type { Terminal } from '../terminal.ts'

/** Loads a command, and returns a function that adds it to the program. */
export type CommandLoader = () => Promise<(program: Command, terminal: Terminal) => void>

/** Every command, in the order of `--help`. Each is loaded only when it is used. */
export const commands: ReadonlyMap<string, CommandLoader> = new Map([
  ['open', async () => (await import('./open.ts')).addOpen],
  ['chat', async () => (await import('./chat.ts')).addChat],
  ['run', async () => (await import('./run.ts')).addRun],
  ['serve', async () => (await import('./serve.ts')).addServe],
  ['worker', async () => (await import('./worker.ts')).addWorker],
  ['journal', async () => (await import('./journal.ts')).addJournal],
  ['token', async () => (await import('./token.ts')).addToken],
  ['connect', async () => (await import('./connect.ts')).addConnect],
  ['runs', async () => (await import('./runs.ts')).addRuns],
  ['replay', async () => (await import('./replay.ts')).addReplay],
  ['parse', async () => (await import('./parse.ts')).addParse],
  ['tools', async () => (await import('./tools.ts')).addTools],
  ['exec', async () => (await import('./exec.ts')).addExec],
  ['undo', async () => (await import('./undo.ts')).addUndo],
  ['restore', async () => (await import('./restore.ts')).addRestore],
  ['mcp', async () => (await import('./mcp.ts')).addMcp],
  ['permit', async () => (await import('./permit.ts')).addPermit],
  ['protocols', async () => (await import('./protocols.ts')).addProtocols],
  ['trust', async () => (await import('./trust.ts')).addTrust],
  ['doctor', async () => (await import('./doctor.ts')).addDoctor],
  ['models', async () => (await import('./models.ts')).addModels],
  ['site', async () => (await import('./site.ts')).addSite],
  ['config', async () => (await import('./config.ts')).addConfig],
])
