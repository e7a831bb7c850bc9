// Installs node-llama-cpp, with only the build for this machine. All builds would take 742 MB.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'

/** @type {Record<string, string>} */
const builds = {
  'darwin-arm64': 'mac-arm64-metal',
  'darwin-x64': 'mac-x64',
  'linux-arm64': 'linux-arm64',
  'linux-x64': 'linux-x64',
}

export async function setUp() {
  const build = builds[`${process.platform}-${process.arch}`]
  if (!build) throw new Error(`node-llama-cpp has no build for ${process.platform}-${process.arch}`)
  const cwd = import.meta.dirname
  if (existsSync(`${cwd}/node_modules/@node-llama-cpp/${build}`)) return {}
  process.stderr.write('Installing node-llama-cpp (85 MB) ...\n')
  // Not npm ci, which would fail because the lock has no builds for other systems.
  const words = ['--no-save', '--omit=optional', '--ignore-scripts', '--no-audit', '--no-fund']
  const { status } = spawnSync('npm', ['install', ...words, `@node-llama-cpp/${build}@3.22.1`], {
    cwd,
    stdio: ['ignore', 2, 2],
  })
  if (status !== 0) throw new Error('npm install failed: see its messages above')
  return {}
}
