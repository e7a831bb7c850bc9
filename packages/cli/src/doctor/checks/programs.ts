import type { Check, CheckContext } from '../check.ts'
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

const MIN_NODE_VERSION = 20

export const node: Check = {
  name: 'Node',
  run() {
    const { version, platform, arch } = process
    const says = `${version} on ${platform} ${arch}`
    if (platform === 'win32')
      return {
        status: 'broken',
        says,
        advice: 'Windows is not supported. Use WSL.',
      }
    return Number.parseInt(version.slice(1), 10) >= MIN_NODE_VERSION
      ? { status: 'ok', says }
      : { status: 'broken', says, advice: `Install Node ${MIN_NODE_VERSION} or later.` }
  },
}

export const git: Check = {
  name: 'git',
  async run(place) {
    const { findProgramOnPath } = await import('@toolglot/tools/internal')
    const program = findProgramOnPath('git', place.terminal.env['PATH'] ?? '', [
      place.workspace.folder,
    ])
    return program === undefined
      ? { status: 'missing', says: 'not on the PATH', advice: 'Install it if you use it.' }
      : { status: 'ok', says: `${await versionOf(program, place)}, ${program}` }
  },
}

export const ripgrep: Check = {
  name: 'ripgrep',
  async run(place) {
    const { findRipgrep } = await import('@toolglot/tools/internal')
    const { env } = place.terminal
    try {
      const program = await findRipgrep({ environment: env, roots: [place.workspace.folder] })
      return { status: 'ok', says: `${await versionOf(program, place)}, ${program}` }
    } catch (error) {
      // ripgrep is missing or does not run.
      const advice = 'Glob and Grep need it. Reinstall Toolglot, or set RG_PATH.'
      return { status: 'broken', says: (error as Error).message, advice }
    }
  },
}

export const languageServers: Check = {
  name: 'language servers',
  async run({ workspace: { folder, trust }, terminal }) {
    const { findLanguageServer, languageServers: servers } =
      await import('@toolglot/tools/internal')
    const options = {
      path: terminal.env['PATH'] ?? '',
      roots: [folder],
      trusted: trust === 'trusted',
    }
    const found = servers.filter((server) => 'program' in findLanguageServer(server, options))
    const others = servers.filter((server) => !found.includes(server)).map(({ name }) => name)
    const advice = `To use the LSP tool, install one of ${others.join(', ')}.`
    return found.length > 0
      ? { status: 'ok', says: found.map(({ name }) => name).join(', ') }
      : { status: 'missing', says: 'none on the PATH', advice }
  },
}

/** The first line of the output of `--version`. */
async function versionOf(program: string, { terminal }: CheckContext): Promise<string> {
  const { PATH = '', HOME = '/' } = terminal.env
  const { stdout } = await run(program, ['--version'], {
    cwd: '/',
    env: { PATH, HOME },
    timeout: 10_000,
    maxBuffer: 1 << 20,
  })
  return stdout.split('\n')[0]!.trim()
}

const run = promisify(execFile)
