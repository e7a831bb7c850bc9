import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { findProgramOnPath } from '@toolglot/tools/internal'

/** Opens an address in the browser, by way of a file in a folder. Returns how to remove that file before its time. */
export type OpenInBrowser = (address: string, folder: string) => () => void

type Environment = Readonly<Record<string, string | undefined>>

/** How a browser is opened here; undefined if nobody would see it, or there is none. */
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
    // The link is printed, too: whoever has no browser after all can still use it.
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

/** How long a slow browser may take to read the file, in milliseconds. */
const KEPT = 60_000

function commandOf(env: Environment, platform: NodeJS.Platform): readonly string[] | undefined {
  // A browser on the other side of a connection cannot be opened from here, and nobody looks at one in a pipeline.
  if (env['SSH_CONNECTION'] || env['CI']) return undefined
  // What a person chose: a program, or `none`.
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
 * The login link is a secret, and every user of a machine sees the arguments of its processes: the browser is given a file
 * that only this user can read, and that leads to the link.
 */
function writeRedirect(address: string, folder: string): string {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const file = join(folder, `toolglot-${randomBytes(8).toString('hex')}.html`)
  const html = `<!doctype html><meta charset="utf-8"><meta name="referrer" content="no-referrer"><meta http-equiv="refresh" content="0;url=${address.replaceAll('&', '&amp;').replaceAll('"', '&quot;')}"><title>Toolglot</title>\n`
  writeFileSync(file, html, { mode: 0o600, flag: 'wx' })
  return file
}

/** Browsers that are snaps cannot read hidden folders. */
function placeFor(folder: string, { HOME }: Environment, platform: NodeJS.Platform): string {
  const isSnap = platform === 'linux' && SNAPS.some((path) => existsSync(path))
  return isSnap && HOME ? HOME : folder
}

const SNAPS = ['/snap/bin/firefox', '/snap/bin/chromium']
