import type { ApprovalAnswer } from '@toolglot/agent'
import type { NetworkNotice } from '@toolglot/permissions'
import { z } from 'zod'
import { typed } from './described.ts'

/** What a person lets a call reach. */
export type NetworkAnswer = NonNullable<ApprovalAnswer['network']>

/** What limits a call's access to the network. */
export const networkNotice: z.ZodType<NetworkNotice> = typed(
  z
    .object({
      reaches: z.array(z.string()).describe('The hosts that it can reach; none if empty.'),
      suggested: z
        .array(z.string())
        .describe('Hosts that it seems to need, as its text says. Nothing to trust.'),
    })
    .meta({
      id: 'NetworkNotice',
      description:
        "What limits a call's access to the network. Missing if nothing does. Who approves the call may allow more.",
    }),
)

/** What a person lets a call reach. */
export const networkAnswer: z.ZodType<NetworkAnswer> = typed(
  z
    .union([
      z.literal('once'),
      z.strictObject({
        hosts: z.array(z.string().min(1).max(253)).min(1).max(100),
        always: z.enum(['run', 'user', 'folder']),
      }),
    ])
    .meta({
      id: 'NetworkAnswer',
      description:
        'What the call may reach besides what its sandbox allows: all of the network, this time only; or these hosts, for the rest of the run, by your own settings, or by the local settings of the folder.',
    }),
)
