import { protocols } from '@toolglot/core'
import { knownProtocols } from '@toolglot/workspace'
import { z } from 'zod'
import type { Endpoint } from '../endpoint.ts'
import { folder, type InFolder } from '../schemas/folder.ts'

/** A protocol in a list. */
export interface ListedProtocol {
  readonly id: string
  readonly about: string
  /** Whether it is the user's own. */
  readonly own: boolean
}

/** Lists the protocols. */
export const listProtocols: Endpoint<
  'GET /api/protocols',
  { readonly query: InFolder },
  readonly ListedProtocol[]
> = {
  name: 'GET /api/protocols',
  about: "List the protocols: the built-in ones, and the user's own.",
  query: z.strictObject({ folder }),
  answers: {
    200: {
      about: 'The protocols.',
      schema: z.array(z.object({ id: z.string(), about: z.string(), own: z.boolean() })),
    },
  },
  async handle({ query }, { services }) {
    const { own } = await knownProtocols(await services.folders.open(query.folder))
    return [
      ...own.map(({ id, about }) => ({ id, about, own: true })),
      ...Object.values(protocols).map(({ id, about }) => ({ id, about, own: false })),
    ]
  },
}
