import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import { folderOf } from '../../../../../../tests/helpers/folder.ts'
import {
  findLibrary,
  installLibrary,
  type InstallOptions,
  npmCommand,
  platformPackage,
  useLibrary,
} from './use-library.ts'

let root: string
let folder: string
let npm: string[]
beforeEach(() => {
  root = folderOf()
  folder = join(root, 'models-runtime')
  npm = [process.execPath, join(root, 'npm.mjs')]
  writeFileSync(npm[1]!, NPM)
})

/** A fake npm that works without a network. */
const NPM = `
import { mkdirSync, writeFileSync } from 'node:fs'
const words = process.argv.slice(2)
const prefix = words[words.indexOf('--prefix') + 1]
const folder = prefix + '/node_modules/node-llama-cpp'
mkdirSync(folder, { recursive: true })
writeFileSync(folder + '/package.json', JSON.stringify({ version: '3.22.1', type: 'module', main: 'index.js' }))
writeFileSync(folder + '/index.js', 'export const getLlama = ' + JSON.stringify({ words, cwd: process.cwd() }))
console.error('npm http cache a@https://registry.npmjs.org/a/-/a-1.0.0.tgz 0ms (cache hit)')
`

const install = (options: Partial<InstallOptions> = {}): Promise<void> =>
  installLibrary({ folder, npm, confirm: async () => true, ...options })

test('asks, installs exact versions without running scripts, and reports progress', async () => {
  const asked: string[] = []
  const notes: string[] = []
  expect(findLibrary(folder)).toBeUndefined()
  await install({
    confirm: async (question) => asked.push(question) > 0,
    onProgress: ({ text, done, total }) => notes.push(`${text}: ${done}/${total}`),
  })
  expect(asked).toEqual([
    `GGUF files need node-llama-cpp 3.22.1. Install it from npm into ${folder} (85 MB)?`,
  ])
  expect(notes).toEqual([
    'Installing node-llama-cpp 3.22.1: 0/117',
    'Installing node-llama-cpp 3.22.1: 1/117',
  ])
  const { getLlama } = (await import(findLibrary(folder)!)) as {
    readonly getLlama: { readonly words: string[]; readonly cwd: string }
  }
  const { words, cwd } = getLlama
  expect(words.slice(3)).toEqual([
    '--omit=optional',
    '--ignore-scripts',
    '--no-audit',
    '--no-fund',
    '--loglevel=http',
    '--no-progress',
    '--no-update-notifier',
    'node-llama-cpp@3.22.1',
    `${platformPackage()}@3.22.1`,
  ])
  expect(cwd).not.toBe(process.cwd())
  expect(readdirSync(root).sort()).toEqual(['models-runtime', 'npm.mjs'])
})

describe('is not installed', () => {
  const byHand = /To install it manually: npm install --prefix '.*models-runtime' --omit=optional/

  test.each([
    ['without consent', { confirm: async () => false }, /you declined/],
    ['without a user to ask', { confirm: undefined }, /no user is present to give permission/],
    ['without npm', { npm: ['/nowhere/npm'] }, /installing it failed \(.*ENOENT/],
    ['without any npm', { npm: [] }, /npm was not found/],
  ])('%s', async (_, options, message) => {
    const failing = install(options)
    await expect(failing).rejects.toThrow(message)
    await expect(failing).rejects.toThrow(byHand)
    expect(readdirSync(root)).toEqual(['npm.mjs'])
  })

  test('keeps the previous installation if npm fails', async () => {
    await install()
    writeFileSync(
      npm[1]!,
      `console.error('npm error code E404\\nnpm error \\u001b[31m404 Not Found'); process.exit(1)`,
    )
    await expect(install()).rejects.toThrow(/failed \(code E404 �\[31m404 Not Found\)/)
    expect(readdirSync(root).sort()).toEqual(['models-runtime', 'npm.mjs'])
    expect(findLibrary(folder)).toBeDefined()
  })

  test('reports that npm takes too long', async () => {
    writeFileSync(npm[1]!, 'setInterval(() => {}, 1000)')
    await expect(install({ timeout: 50 })).rejects.toThrow(/npm ended with SIGTERM/)
  })
})

test('treats another version as missing', async () => {
  await install()
  const path = join(folder, 'node_modules/node-llama-cpp/package.json')
  writeFileSync(path, readFileSync(path, 'utf8').replace('3.22.1', '3.0.0'))
  expect(findLibrary(folder)).toBeUndefined()
})

test('concurrent callers ask only once', async () => {
  let asked = 0
  const options = { folder, npm, confirm: async () => ++asked > 0 }
  const [one, other] = await Promise.all([useLibrary(options), useLibrary(options)])
  expect(one).toBe(other)
  expect(asked).toBe(1)
})

test('asks the next caller again after a refusal', async () => {
  await expect(useLibrary({ folder, npm, confirm: async () => false })).rejects.toThrow()
  expect(await useLibrary({ folder, npm, confirm: async () => true })).toBeDefined()
})

test.each([
  ['linux', 'x64', '@node-llama-cpp/linux-x64'],
  ['darwin', 'arm64', '@node-llama-cpp/mac-arm64-metal'],
  ['win32', 'x64', '@node-llama-cpp/win-x64'],
  ['linux', 'mips', undefined],
])('the build for %s on %s is %s', (platform, processor, name) => {
  expect(platformPackage(platform, processor)).toBe(name)
})

test('npm is started without a shell', () => {
  const [program, script] = npmCommand() ?? []
  expect(program).toBeDefined()
  expect(script === undefined || existsSync(script)).toBe(true)
  if (process.platform !== 'win32') expect(npmCommand('/nowhere/bin/node')).toEqual(['npm'])
})
