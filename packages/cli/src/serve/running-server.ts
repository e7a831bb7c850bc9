import { createLoginLink, openTokens, rememberedPort, whoAnswers } from '@toolglot/server/internal'
import { userDirectories } from '@toolglot/workspace'
import { stateFolder } from '@toolglot/workspace/internal'
import type { Terminal } from '../terminal.ts'

/** The server of this user, as another process serves it. */
export interface RememberedServer {
  readonly url: string
  readonly answers: Awaited<ReturnType<typeof whoAnswers>>
  /** Whether it accepts a token. Without an answer, it is taken to. */
  accepts(token: string): Promise<boolean>
  /** A link that logs a browser in once, within ten minutes. */
  loginLink(): string
}

/** Looks for the server where it was last; undefined if there was never one. */
export async function findServer({ env }: Terminal): Promise<RememberedServer | undefined> {
  const folder = stateFolder(userDirectories(env))
  const port = rememberedPort(folder)
  if (port === undefined) return undefined
  const url = `http://127.0.0.1:${port}`
  const answers = await whoAnswers(port)
  return {
    url,
    answers,
    async accepts(token) {
      const headers = { authorization: `Bearer ${token}` }
      const signal = AbortSignal.timeout(10_000)
      const response = await fetch(`${url}/v1/models`, { headers, signal }).catch(() => undefined)
      await response?.body?.cancel()
      return response?.status !== 401
    },
    loginLink: () =>
      createLoginLink(url, openTokens({ stateFolder: folder, token: env['TOOLGLOT_TOKEN'] })),
  }
}
