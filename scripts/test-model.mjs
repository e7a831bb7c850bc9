// npm run test:model: models in GGUF files, with node-llama-cpp (85 MB from npm), and not a part of npm test.
// Arguments are for vitest.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { install, root } from './ready.mjs'
import { testFolder } from './test-folder.mjs'

const folder = `${root}/tests/model`
/** @type {Record<string, string>} */
const builds = {
  'darwin-arm64': 'mac-arm64-metal',
  'darwin-x64': 'mac-x64',
  'linux-arm64': 'linux-arm64',
  'linux-x64': 'linux-x64',
  'win32-arm64': 'win-arm64',
  'win32-x64': 'win-x64',
}

install()
installLibrary()
testFolder(folder)

/** Installs the library, and of its builds only the one for this machine. All of them would be 742 MB. */
function installLibrary() {
  const build = builds[`${process.platform}-${process.arch}`]
  if (!build) throw new Error(`node-llama-cpp has no build for ${process.platform}-${process.arch}`)
  if (existsSync(`${folder}/node_modules/@node-llama-cpp/${build}`)) return
  process.stderr.write('Installing node-llama-cpp (85 MB) ...\n')
  // The lock has no builds for other systems, which npm ci would miss.
  const words = ['--no-save', '--omit=optional', '--ignore-scripts', '--no-audit', '--no-fund']
  const { status } = spawnSync('npm', ['install', ...words, `@node-llama-cpp/${build}@3.22.1`], {
    cwd: folder,
    stdio: ['ignore', 2, 2],
  })
  if (status !== 0) throw new Error('Expected npm install to succeed: see its messages above.')
}
