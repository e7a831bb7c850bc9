import { realFolder, stateFolder } from '@toolglot/workspace/internal'
import { userDirectories, UserError } from '@toolglot/workspace'
import { resolve } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import type { OpenFlags } from '../commands/open.ts'
import { showPage } from '../show/page.ts'
import { createStopSignal } from '../stop-signal.ts'
import type { Terminal } from '../terminal.ts'
import { browserOf } from './browser.ts'
import { findServer } from './running-server.ts'
import { serve, serveLog } from './serve.ts'

/** In milliseconds. */
const READ_TIME = 15_000

/** Serves the page and opens it in the browser; if this user's server is already there, only opens it. */
export async function openPage(flags: OpenFlags, terminal: Terminal): Promise<void> {
  const directories = userDirectories(terminal.env)
  const folder = resolve(
    terminal.cwd,
    (flags.cwd ?? '.').replace(/^~(?=\/|$)/, () => directories.home),
  )
  const open = flags.browser ? browserOf(terminal.env, process.platform) : undefined
  const state = stateFolder(directories)
  const { model, protocol, port, exposeHome } = flags

  const running = await findServer(terminal)
  if (running?.answers === 'toolglot' && port === undefined) {
    if (model !== undefined || protocol !== undefined || exposeHome) {
      throw new UserError(
        'usage',
        `A server is already running at ${running.url}, and --model, --protocol and --expose-home apply only to a new one. Choose the model in the page, or stop that server, or add --port 0.`,
      )
    }
    // What a folder is called can be anything: it is one value in the address.
    const address = new URL(await running.loginLink())
    address.pathname = '/chat'
    address.searchParams.set('folder', realFolder(folder))
    const { url } = running
    terminal.errors.write(
      showPage({ url, link: address.href, opens: open !== undefined }, terminal),
    )
    if (!open) return
    // Heard from before the file is there: it must not be left behind.
    const stop = createStopSignal()
    const forget = open(address.href, state)
    try {
      // A browser that has to be started needs a while to read it.
      await setTimeout(READ_TIME, undefined, { signal: stop.signal }).catch(() => {})
    } finally {
      stop.forget()
      forget()
    }
    return
  }

  const log = serveLog({ log: 'text' }, { ...terminal, output: terminal.errors })
  await serve({ ...flags, cwd: folder, allowHost: [], log: 'text' }, terminal, {
    // People see what they do in the page; only what goes wrong is worth a line here.
    log: { ...log, observe: () => {} },
    async announce(server, answering) {
      const link = await server.loginLink()
      const shown = { url: server.url, link, opens: open !== undefined, folder, answering }
      terminal.errors.write(showPage(shown, terminal))
      return open?.(link, state)
    },
  })
}
