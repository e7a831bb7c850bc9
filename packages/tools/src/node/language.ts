import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { ToolError } from '@toolglot/agent'
import { unlessAborted } from '@toolglot/agent/internal'
import type { FileSystemView } from '@toolglot/permissions'
import type { Language } from '../host/language.ts'
import type { Search } from '../host/search.ts'
import type { AskServer } from '../lsp/ask-server.ts'
import { ChangedFiles, ServerSlot } from '../lsp/server-slot.ts'
import {
  endingOf,
  globsOf,
  watchedGlobs,
  type ServerDefinition,
  servers as known,
} from '../lsp/servers.ts'
import { findServerProgram, type FindProgramResult, safePath } from '../lsp/find-program.ts'
import type { ServerLimits } from '../lsp/server.ts'
import { type Environment, environmentFor } from '../process/environment.ts'
import { isInside, realRoots } from '../paths/inside.ts'

/** The language servers that may run, and their limits. */
export interface NodeLanguageOptions {
  /** True if the user trusts the workspace: servers may come from it and may run its code. */
  readonly trusted?: boolean | undefined
  /** Additional servers, which take precedence. */
  readonly servers?: readonly ServerDefinition[] | undefined
  readonly limits?: Partial<ServerLimits> | undefined
}

/** The parts of the host that `nodeLanguage` needs. */
export interface LanguageContext {
  readonly fileSystem: FileSystemView
  readonly search: Search
  /** The environment for servers, which get it without its secrets. */
  readonly environment?: Environment
  readonly keep?: readonly string[]
}

/** The maximum number of running servers. Starting another stops the oldest. */
const MAX_SERVERS = 8

/**
 * The language servers of this machine. A server starts with the first query about one of its
 * files.
 */
export function nodeLanguage(parts: LanguageContext, options: NodeLanguageOptions = {}): Language {
  const { fileSystem, search, environment = process.env, keep } = parts
  const { trusted = false } = options
  const definitions = [...(options.servers ?? []), ...known]
  const { start = 45_000, answer = 15_000, load = 10_000 } = options.limits ?? {}
  const limits = { start, answer, load }
  const path = environment['PATH'] ?? ''
  const found = new Map<ServerDefinition, FindProgramResult>()
  const slots = new Map<string, ServerSlot>()
  const stopping = new Set<Promise<void>>()
  let roots: readonly string[] | undefined
  let closing: Promise<void> | undefined
  let asking: Promise<AskServer> | undefined

  return {
    ask: async (topic, place, { signal }) => {
      roots ??= await realRoots(fileSystem.roots)
      const definition = definitionFor(place.path, roots)
      const slot = slotFor(definition, place.path, roots)
      // Loaded on demand: most sessions never use a server.
      asking ??= import('../lsp/ask-server.ts').then(({ askServer }) => askServer)
      const askServer = await asking
      return await unlessAborted(signal, askServer({ slot, definition, topic, place, signal }))
    },

    isRunning(file) {
      if (!roots || closing) return false
      const definition = definitions.find(
        (each) => canHandle(each, file) && 'program' in (found.get(each) ?? {}),
      )
      return (
        definition !== undefined && slots.get(keyOf(definition, file, roots))?.isRunning === true
      )
    },

    async globsFor(file) {
      if (file === undefined) {
        const inside = (roots ??= await realRoots(fileSystem.roots))
        return definitions.filter((each) => 'program' in lookFor(each, inside)).flatMap(globsOf)
      }
      const first = definitions.find((each) => canHandle(each, file))
      return first ? globsOf(first) : []
    },

    close: () => (closing ??= close()),
  }

  function definitionFor(file: string, inside: readonly string[]): ServerDefinition {
    const fitting = definitions.filter((each) => canHandle(each, file))
    if (fitting.length === 0) throw unsupportedError(file, definitions)
    const problems: string[] = []
    for (const definition of fitting) {
      const program = lookFor(definition, inside)
      if ('program' in program) return definition
      problems.push(`${program.problem}; to install it: ${definition.install}`)
    }
    throw noServerError(file, problems)
  }

  /** Caches found programs. Missing ones may be installed later. */
  function lookFor(definition: ServerDefinition, inside: readonly string[]): FindProgramResult {
    const before = found.get(definition)
    if (before && 'program' in before) return before
    const program = findServerProgram(definition, { path, roots: inside, trusted })
    found.set(definition, program)
    return program
  }

  function slotFor(
    definition: ServerDefinition,
    file: string,
    inside: readonly string[],
  ): ServerSlot {
    if (closing) throw new ToolError('execution_failed', 'This host is closed.')
    const key = keyOf(definition, file, inside)
    const before = slots.get(key)
    if (before) return before
    const cwd = projectRoot(file, definition.markers ?? [], inside)
    const changes = new ChangedFiles(search, cwd, watchedGlobs(definition))
    const slot = new ServerSlot(definition.name, changes, async (signal) => {
      signal.throwIfAborted()
      const program = found.get(definition)!
      if ('problem' in program) throw new Error(program.problem)
      const env = {
        ...environmentFor(environment, keep),
        PATH: safePath({ path, roots: inside, trusted }),
      }
      const { LanguageServer } = await import('../lsp/server.ts')
      return await LanguageServer.start({ ...program, cwd, env }, definition, limits, signal)
    })
    slots.set(key, slot)
    stopOldest()
    return slot
  }

  function keyOf(definition: ServerDefinition, file: string, inside: readonly string[]): string {
    return `${definition.name}\0${projectRoot(file, definition.markers ?? [], inside)}`
  }

  function stopOldest(): void {
    const [oldest] = slots
    if (!oldest || slots.size <= MAX_SERVERS) return
    slots.delete(oldest[0])
    const stop = oldest[1].stop()
    stopping.add(stop)
    void stop.finally(() => stopping.delete(stop))
  }

  async function close(): Promise<void> {
    await Promise.all([...[...slots.values()].map((slot) => slot.stop()), ...stopping])
  }
}

function canHandle({ languages }: ServerDefinition, file: string): boolean {
  return Object.hasOwn(languages, endingOf(file))
}

/** The error for a file type without a known server. */
function unsupportedError(file: string, definitions: readonly ServerDefinition[]): ToolError {
  const endings = [...new Set(definitions.flatMap(({ languages }) => Object.keys(languages)))]
  const message = `There is no language server for ${endingOf(file)} files, only for ${endings.join(' ')}. Add one as "languageServers" in the settings, or use Grep and Read instead.`
  return new ToolError('invalid_input', message, { code: 'unsupported_file', path: file, endings })
}

/** The error for a file whose servers are not available. */
function noServerError(file: string, problems: readonly string[]): ToolError {
  const message = `No language server for ${endingOf(file)} files can be started: ${problems.join('. Or: ')}. Until then, use Grep and Read.`
  return new ToolError('not_found', message, { code: 'no_server', path: file, problems })
}

/**
 * The project folder of a file: the nearest one with a marker, inside the file's root; otherwise
 * that root.
 */
function projectRoot(path: string, markers: readonly string[], roots: readonly string[]): string {
  const root = roots
    .filter((each) => isInside(path, each))
    .sort((one, other) => other.length - one.length)[0]
  if (root === undefined) return dirname(path)
  // The first markers, such as lock files, identify the whole project, so they take precedence over nearer folders.
  for (const marker of markers)
    for (let folder = dirname(path); isInside(folder, root); folder = dirname(folder)) {
      if (existsSync(join(folder, marker))) return folder
      if (folder === dirname(folder)) break
    }
  return root
}
