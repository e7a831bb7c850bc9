import type { Client } from '@toolglot/server/client'
import { createContext, use } from 'react'
import type { Context } from 'react'

/** Gives every hook below it the client that it uses: `<ClientContext value={createClient({ url, token })}>`. */
export const ClientContext: Context<Client | undefined> = createContext<Client | undefined>(
  undefined,
)

/** The client of the ClientContext above. */
export function useClient(): Client {
  const client = use(ClientContext)
  if (!client) throw new Error('Expected a <ClientContext> above, with a client as its value.')
  return client
}
