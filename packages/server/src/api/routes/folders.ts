import { loadSettings, trustedFolders, trustFile } from '@toolglot/workspace'
import { findFolder } from '@toolglot/workspace/internal'
import { setImmediate } from 'node:timers/promises'
import { z } from 'zod'
import type { Endpoint } from '../endpoint.ts'
import { knownFolderTrust, type KnownFolderTrust } from '../schemas/settings.ts'

/** A folder in the server's list. */
export interface KnownFolder {
  readonly folder: string
  readonly trust: KnownFolderTrust
  /** True for the default folder of requests. */
  readonly isDefault: boolean
  /** The last activity of a run in it, in milliseconds since 1970. Only recent runs count. */
  readonly lastRun?: number
}

/** Lists the folders in which a user may want to work. */
export const listFolders: Endpoint<'GET /api/folders', object, readonly KnownFolder[]> = {
  name: 'GET /api/folders',
  about: "List the known folders: the server's own, the trusted ones, and those of recent runs.",
  answers: {
    200: {
      about: "The server's own folder, then those of recent runs, then the other trusted ones.",
      schema: z.array(
        z.object({
          folder: z.string().describe('Its absolute path.'),
          trust: knownFolderTrust,
          isDefault: z.boolean().describe('True for the default folder of requests.'),
          lastRun: z
            .number()
            .optional()
            .describe('The last activity of a run in it, in milliseconds since 1970.'),
        }),
      ),
    },
  },
  async handle(_, { services: { folders, journal } }) {
    const { directories } = await folders.open()
    const lastRuns = new Map<string, number>()
    for (const { folder, last } of await journal.runs({ limit: RECENT_RUNS }))
      if (folder !== undefined && !lastRuns.has(folder)) lastRuns.set(folder, last)
    const trusted = trustedFolders(trustFile({ directories })).map(({ folder }) => folder)
    const known: KnownFolder[] = []
    for (const folder of new Set([folders.default, ...lastRuns.keys(), ...trusted])) {
      // Settings are read synchronously, so this lets other requests run in between.
      await setImmediate()
      const lastRun = lastRuns.get(folder)
      known.push({
        folder,
        trust: trustStateOf(folder, { directories }),
        isDefault: folder === folders.default,
        lastRun,
      })
    }
    return known
  },
}

/** Older runs can be found by searching. */
const RECENT_RUNS = 200

/** The current trust state of a folder. */
export function trustStateOf(
  folder: string,
  options: Parameters<typeof loadSettings>[1],
): KnownFolderTrust {
  return findFolder(folder) === undefined ? 'gone' : loadSettings(folder, options).trust
}
