import {
  createLoginLink,
  createSharedLoginLink,
  openTokens,
  rememberedPort,
  whoAnswers,
} from '@toolglot/server/internal'
import { userDirectories } from '@toolglot/workspace'
import { stateFolder } from '@toolglot/workspace/internal'
import type { Terminal } from '../terminal.ts'
import { useSharedValues } from './use-shared-values.ts'

/** A server that this user started in another process. */
export interface RememberedServer {
  readonly url: string
  readonly answers: Awaited<ReturnType<typeof whoAnswers>>
  /** True if it accepts a token. Assumed without an answer. */
  accepts(token: string): Promise<boolean>
  /** Creates a link that logs a browser in once, within ten minutes. */
  loginLink(): Promise<string>
}

/** Finds the server at its last address. Undefined if it was never started. */
export async function findServer(
  terminal: Terminal,
  journal?: string,
): Promise<RememberedServer | undefined> {
  const { env } = terminal
  const folder = stateFolder(userDirectories(env))
  const port = rememberedPort(folder)
  if (port === undefined) return undefined
  const url = `http://127.0.0.1:${port}`
  const answers = await whoAnswers(port)
  return {
    url,
    answers,
    accepts: (token) => isAccepted(url, token),
    loginLink: () =>
      useSharedValues(journal, terminal, async (values) =>
        values
          ? createSharedLoginLink(url, values)
          : createLoginLink(url, openTokens({ stateFolder: folder, token: env['TOOLGLOT_TOKEN'] })),
      ),
  }
}

async function isAccepted(url: string, token: string): Promise<boolean> {
  const headers = { authorization: `Bearer ${token}` }
  const signal = AbortSignal.timeout(10_000)
  // There is no answer if the server stops in the meantime.
  const response = await fetch(`${url}/v1/models`, { headers, signal }).catch(() => undefined)
  await response?.body?.cancel()
  return response?.status !== 401
}
