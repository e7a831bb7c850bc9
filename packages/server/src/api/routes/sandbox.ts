import type { Processes } from '@toolglot/tools'
import { sandboxOptions } from '@toolglot/workspace/internal'
import { z } from 'zod'
import type { Endpoint } from '../endpoint.ts'
import { folder, type InFolder } from '../schemas/settings.ts'

type Report = Awaited<ReturnType<Processes['sandbox']>>

/** The sandbox of the commands in a folder. */
export interface ShownSandbox extends Report {
  /** The network access of commands: none, unrestricted, or limited to these hosts. */
  readonly network: 'none' | 'host' | readonly string[]
}

/** Shows the sandbox of commands. */
export const showSandbox: Endpoint<'GET /api/sandbox', { readonly query: InFolder }, ShownSandbox> =
  {
    name: 'GET /api/sandbox',
    about:
      'Show the sandbox for commands, its protection, and why other sandboxes are unavailable.',
    query: z.strictObject({ folder }),
    answers: {
      200: {
        about: 'The sandbox.',
        schema: z.object({
          name: z.enum(['bubblewrap', 'sandbox-runtime', 'none']),
          about: z.string().describe('A sentence about its protection.'),
          missing: z
            .array(z.object({ name: z.string(), reason: z.string() }))
            .describe(
              'The sandboxes that were tried first, with the reasons why they are unavailable.',
            ),
          network: z
            .union([z.enum(['none', 'host']), z.array(z.string())])
            .describe(
              'The network access of commands: none, unrestricted, or limited to these hosts.',
            ),
        }),
      },
    },
    async handle({ query }, { services: { folders } }) {
      const workspace = await folders.open(query.folder)
      const { network = 'none' } = sandboxOptions(workspace)
      const report = await folders.useTools(workspace, ({ host }) => host.processes.sandbox())
      return { ...report, network }
    },
  }
