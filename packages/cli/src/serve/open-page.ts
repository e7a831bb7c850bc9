import { realFolder, stateFolder, visibleLine } from '@toolglot/workspace/internal'
import { userDirectories, UserError } from '@toolglot/workspace'
import { resolve, basename, dirname, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { OpenFlags } from '../commands/open.ts'
import { createStopSignal } from '../process-events.ts'
import { type Terminal, colorsOf, columnsOf } from '../terminal.ts'
import { findServer } from './running-server.ts'
import { serve, serveLog } from './serve.ts'
import { showChosenModel } from '../show/run/chosen-model.ts'
import type { Answering } from '../show/server.ts'
import { wrap } from '../show/text/table.ts'
import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import { findProgramOnPath } from '@toolglot/tools/internal'

/**
 * Opens an address in the browser, through a file in a folder. Returns a function that removes the
 * file early.
 */
type OpenInBrowser = (address: string, folder: string) => () => void

type Environment = Readonly<Record<string, string | undefined>>

/** The time that the file is kept for a slow browser, in milliseconds. */
const KEPT = 60_000

const SNAPS = ['/snap/bin/firefox', '/snap/bin/chromium']

/** A served page. */
interface ShownPage {
  readonly url: string
  readonly link: string
  /** True if the browser is opened automatically. */
  readonly opens: boolean
  /** The folder, if this process is the server. */
  readonly folder?: string
  readonly answering?: Answering
}

/** In milliseconds. */
const READ_TIME = 15_000

/**
 * Serves the page and opens it in the browser. If this user's server is already running, only opens
 * it.
 */
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
    // A folder's name can contain any character, so it is one encoded value in the address.
    const address = new URL(await running.loginLink())
    address.pathname = '/chat'
    address.searchParams.set('folder', realFolder(folder))
    const { url } = running
    terminal.errors.write(
      showPage({ url, link: address.href, opens: open !== undefined }, terminal),
    )
    if (!open) return
    // Created before the file, which must be removed on a signal.
    const stop = createStopSignal()
    const forget = open(address.href, state)
    try {
      // A browser that has to start first needs some time to read the file.
      await delay(READ_TIME, undefined, { signal: stop.signal }).catch(() => {})
    } finally {
      stop.forget()
      forget()
    }
    return
  }

  const log = serveLog({ log: 'text' }, { ...terminal, output: terminal.errors })
  await serve({ ...flags, cwd: folder, allowHost: [], log: 'text' }, terminal, {
    // Users see successful requests in the page, so only problems are logged here.
    log: { ...log, observe: () => {} },
    async announce(server, answering) {
      const link = await server.loginLink()
      const shown = { url: server.url, link, opens: open !== undefined, folder, answering }
      terminal.errors.write(showPage(shown, terminal))
      return open?.(link, state)
    },
  })
}

/**
 * Prints the address of the page, its model and folder, and how to open it without an automatic
 * browser.
 */
function showPage(
  { url, link, opens, folder, answering }: ShownPage,
  { errors, env }: Terminal,
): string {
  const colors = colorsOf(errors, env)
  const { bold, dim } = colors
  const columns = columnsOf(errors) - 2
  const indent = (text: string): string => text.replace(/^(?=.)/gm, '  ')
  const chat = env['npm_lifecycle_event'] === 'start' ? 'npm start -- chat' : 'toolglot chat'
  const way = opens
    ? `The page opens in your browser. If it does not, open this link, which works once, for ten minutes:`
    : `Open this link in a browser. It works once, for ten minutes:`
  const [, , , sshPort] = (env['SSH_CONNECTION'] ?? '').split(' ')
  const { port } = new URL(url)
  const tunnel = `From another machine, first: ssh -L ${port}:127.0.0.1:${port} USER@THIS-MACHINE`
  return [
    `${bold('Toolglot')} is ready${answering ? '' : ', in a server that was already running'}: ${bold(url)}\n`,
    ...(folder === undefined ? [] : [`\n  ${bold(visibleLine(shortened(folder, env)))}\n`]),
    ...(answering?.chosen ? [indent(showChosenModel(answering.chosen, colors, columns))] : []),
    ...(answering?.whyNone === undefined
      ? []
      : wrap(visibleLine(`No model: ${answering.whyNone}`), columns).map((line) => `  ${line}\n`)),
    `\n${way}\n\n  ${link}\n\n`,
    ...(sshPort === undefined ? [] : [`${tunnel}\n\n`]),
    ...(answering ? [dim(`In the terminal instead: ${chat}\nCtrl-C stops the server.\n`)] : []),
  ].join('')
}

function shortened(folder: string, env: Terminal['env']): string {
  const { home } = userDirectories(env)
  return folder === home || folder.startsWith(`${home}/`) ? `~${folder.slice(home.length)}` : folder
}

/**
 * The function that opens a browser. Undefined if there is no browser, or if the user would not see
 * it.
 */
export function browserOf(env: Environment, platform: NodeJS.Platform): OpenInBrowser | undefined {
  const command = commandOf(env, platform)
  if (!command) return undefined
  return (address, folder) => {
    const file = writeRedirect(address, placeFor(folder, env, platform))
    const forget = (): void => rmSync(file, { force: true })
    const [program = '', ...words] = command
    const child = spawn(program, [...words, pathToFileURL(file).href], {
      stdio: 'ignore',
      detached: true,
    })
    // The link is also printed, for users without a browser.
    child.on('error', forget)
    child.unref()
    const timer = setTimeout(forget, KEPT)
    timer.unref()
    return () => {
      clearTimeout(timer)
      forget()
    }
  }
}

function commandOf(env: Environment, platform: NodeJS.Platform): readonly string[] | undefined {
  // A browser at the other end of an SSH connection cannot be opened from here, and a pipeline has
  // no user.
  if (env['SSH_CONNECTION'] || env['CI']) return undefined
  // The user's choice: a program, or `none`.
  const chosen = env['BROWSER']
  if (chosen) return programAt(chosen, env)
  if (platform === 'darwin') return ['open']
  if (platform === 'win32') return ['explorer.exe']
  if (!env['DISPLAY'] && !env['WAYLAND_DISPLAY']) return undefined
  return programAt('xdg-open', env)
}

function programAt(name: string, { PATH = '' }: Environment): readonly string[] | undefined {
  const path = name.includes('/') ? dirname(name) : PATH
  const program = findProgramOnPath(basename(name), path, [])
  return program === undefined ? undefined : [program]
}

/**
 * The login link is a secret, and the arguments of a process are visible to all users of a machine.
 * So the browser opens a file that only this user can read, which redirects to the link.
 */
function writeRedirect(address: string, folder: string): string {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const file = join(folder, `toolglot-${randomBytes(8).toString('hex')}.html`)
  const html = `<!doctype html><meta charset="utf-8"><meta name="referrer" content="no-referrer"><meta http-equiv="refresh" content="0;url=${address.replaceAll('&', '&amp;').replaceAll('"', '&quot;')}"><title>Toolglot</title>\n`
  writeFileSync(file, html, { mode: 0o600, flag: 'wx' })
  return file
}

/** Browsers installed as snaps cannot read hidden folders. */
function placeFor(folder: string, { HOME }: Environment, platform: NodeJS.Platform): string {
  const isSnap = platform === 'linux' && SNAPS.some((path) => existsSync(path))
  return isSnap && HOME ? HOME : folder
}
