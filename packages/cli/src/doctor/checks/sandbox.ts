import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Processes } from '@toolglot/tools'
import type { Workspace } from '@toolglot/workspace'
import { sandboxOptions } from '@toolglot/workspace/internal'
import type { Check, Finding } from '../check.ts'

type SandboxReport = Awaited<ReturnType<Processes['sandbox']>>

export const sandbox: Check = {
  name: 'sandbox',
  async run({ workspace }) {
    const report = await tryOut(workspace)
    return [
      describe(report),
      ...(report.name === 'none' ? [] : await visiblePaths(workspace)),
      ...(await movedFiles(workspace)),
    ]
  },
}

async function tryOut(workspace: Workspace): Promise<SandboxReport> {
  const { nodeHost } = await import('@toolglot/tools')
  const folder = await mkdtemp(join(tmpdir(), 'toolglot-doctor-'))
  const { fileSystem, env: environment } = workspace
  // A required sandbox that doesn't work is reported like any other problem.
  const { use, ...others } = sandboxOptions(workspace)
  const options = use === 'none' ? { ...others, use } : others
  const host = nodeHost({ fileSystem, storage: { folder }, environment, sandbox: options })
  try {
    return await host.processes.sandbox()
  } finally {
    await host.close()
    await rm(folder, { recursive: true, force: true })
  }
}

function describe({ name, about, missing }: SandboxReport): Finding {
  const others = missing.map((one) => `${one.name}: ${one.reason}`).join('; ')
  if (name !== 'none')
    return { status: 'ok', says: `${name}. ${about}${others && ` Not used: ${others}`}` }
  const advice = 'Allowed commands run with all of your permissions.'
  if (others === '') return { status: 'warning', says: 'turned off in your settings', advice }
  const install = others.includes('not installed') ? ' Install bubblewrap.' : ''
  return {
    status: 'warning',
    says: `none works on this machine: ${others}`,
    advice: `${advice}${install}`,
  }
}

/** The folders visible to commands outside the workspace, in addition to the system's. */
async function visiblePaths(workspace: Workspace): Promise<Finding[]> {
  const { exposesHome, toolchains } = await import('@toolglot/tools/internal')
  const { directories, fileSystem, env: environment } = workspace
  const { home } = directories
  const options = sandboxOptions(workspace)
  const short = (path: string): string =>
    path === home || path.startsWith(`${home}/`) ? `~${path.slice(home.length)}` : path
  const listed = (paths: readonly string[]): string =>
    paths.map((path) => `${short(path)}${existsSync(path) ? '' : ' (missing)'}`).join(', ')

  const isOpen = await exposesHome(fileSystem, { exposeHome: false })
  if (isOpen && (await exposesHome(fileSystem, options)))
    return [
      {
        status: 'warning',
        says: 'the workspace contains your home folder, so commands fail until you confirm that',
        advice: 'Work in a subfolder, or start toolglot with --expose-home.',
      },
    ]
  const { read = [], write = [] } = options
  const writable = [...fileSystem.roots, ...write]
  const programs = toolchains({ home, environment, writable }).map(({ target }) => target)
  const inHome = programs.filter((path) => short(path) !== path)
  return [
    isOpen || write.includes(home)
      ? { status: 'warning', says: 'commands can read and change everything in your home folder' }
      : {
          status: 'ok',
          says: `in your home folder, commands see only ${inHome.length > 0 ? `${listed(inHome)}, ` : ''}private caches and your git identity`,
        },
    ...(read.length > 0
      ? [{ status: 'ok', says: `commands can also read ${listed(read)}` } as const]
      : []),
    ...(write.length > 0
      ? [{ status: 'ok', says: `commands can also write to ${listed(write)}` } as const]
      : []),
  ]
}

async function movedFiles({ directories }: Workspace): Promise<Finding[]> {
  const { asideFolder, listMovedAside } = await import('@toolglot/tools/internal')
  const { length } = listMovedAside(asideFolder(directories.state))
  if (length === 0) return []
  const says =
    length === 1
      ? '1 file created by a command was moved aside'
      : `${length} files created by commands were moved aside`
  return [{ status: 'warning', says, advice: 'List them, or put one back: toolglot restore' }]
}
