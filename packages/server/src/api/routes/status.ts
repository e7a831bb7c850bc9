import type { FolderTrust } from '@toolglot/workspace'
import { z } from 'zod'
import type { Endpoint } from '../endpoint.ts'
import { ownVersion } from '../../version.ts'
import { trustState } from '../schemas/settings.ts'

/** The data that a page needs first. */
export interface ServerStatus {
  readonly version: string
  /** The default folder of requests. */
  readonly folder: string
  readonly trust: FolderTrust
  /** The user's home folder, shown as `~`. */
  readonly home: string
  /** The command for starting toolglot: `toolglot`, or `npm start --` in a clone. */
  readonly command: string
  /**
   * Problems with that folder's settings, including settings ignored because the folder is not
   * trusted.
   */
  readonly warnings: readonly string[]
  /** The start time of the server, in milliseconds since 1970. */
  readonly started: number
  /** The uptime, in milliseconds. */
  readonly uptime: number
}

/** Describes the server itself. */
export const showStatus: Endpoint<'GET /api/status', object, ServerStatus> = {
  name: 'GET /api/status',
  about: "Show the server's version, its folder and its start time.",
  answers: {
    200: {
      about: 'The server.',
      schema: z.object({
        version: z.string(),
        folder: z.string().describe('The default folder of requests.'),
        trust: trustState,
        command: z
          .string()
          .describe('The command for starting toolglot: toolglot, or npm start -- in a clone.'),
        home: z.string().describe("The user's home folder, which people write as ~."),
        warnings: z
          .array(z.string())
          .describe(
            'Problems with the settings of that folder, and settings ignored because it is not trusted.',
          ),
        started: z.number().describe('In milliseconds since 1970.'),
        uptime: z.number().describe('In milliseconds.'),
      }),
    },
  },
  async handle(_, { services: { folders, started } }) {
    const { folder, trust, warnings, directories, env } = await folders.open()
    const command = env['npm_lifecycle_event'] === 'start' ? 'npm start --' : 'toolglot'
    const { home } = directories
    const uptime = Date.now() - started
    return { version: ownVersion(), folder, trust, home, command, warnings, started, uptime }
  },
}
