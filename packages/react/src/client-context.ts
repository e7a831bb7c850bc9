import type { Client } from '@toolglot/server/client'
import { createContext, use } from 'react'
import type { Context } from 'react'

/** Provides a client to all hooks below: `<ClientContext value={createClient({ url, token })}>`. */
export const ClientContext: Context<Client | undefined> = createContext<Client | undefined>(
  undefined,
)

/** The client of the nearest ClientContext. */
export function useClient(): Client {
  const client = use(ClientContext)
  if (!client)
    throw new Error(
      'There is no client. Put this component inside a <ClientContext> with a client as its value.',
    )
  return client
}
