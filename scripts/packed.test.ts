import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync } from 'node:fs'
import { rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { isBuiltin } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { importsOf } from './check-imports.mjs'
import { pack, published as folders } from './pack.mjs'
import { root } from './ready.mjs'
import { snippetsIn } from './snippets.mjs'
import { longTest } from '../tests/helpers/size.ts'

// The published packages in an empty project: packed with npm, and laid out like a package manager
// that lets every package access only its own dependencies. Third-party packages come from this
// repository, so no network is needed.

interface Manifest {
  readonly name: string
  readonly [key: string]: unknown
  readonly dependencies?: Readonly<Record<string, string>>
  readonly bin?: Readonly<Record<string, string>>
}

const project = mkdtempSync(join(tmpdir(), 'toolglot-packed-'))
const manifests = new Map(
  folders.map((folder) => [folder, manifestOf(join(root, 'packages', folder))]),
)
const placeOf = (folder: string): string =>
  join(project, 'node_modules', manifests.get(folder)!.name)
const server = createServer()

beforeAll(async () => {
  for (const [folder, archive] of pack(project)) install(folder, archive)
  writeFileSync(join(project, 'package.json'), '{ "name": "empty", "version": "4.5.6" }\n')
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  answerLikeOllama(server)
})
afterAll(async () => {
  await new Promise((resolve) => server.close(resolve))
  rmSync(project, { recursive: true })
})

describe.each(folders)('%s', (folder) => {
  test('has the contents of a published package', () => {
    const published = manifestOf(placeOf(folder))
    expect(published).toMatchObject({
      version: '0.1.0',
      description: expect.stringMatching(/\w{3,}/) as string,
      keywords: expect.arrayContaining(['llm']) as string[],
      license: 'MIT',
      type: 'module',
      sideEffects: folder === 'cli',
      engines: { node: '>=20.19' },
    })
    expect(published).not.toHaveProperty('private')
    expect(readFileSync(join(placeOf(folder), 'LICENSE'), 'utf8')).toContain('MIT License')
  })

  test('has no tests and no links to other files', () => {
    const files = readdirSync(placeOf(folder), { recursive: true, encoding: 'utf8' })
    const own = files.filter((file) => !file.startsWith('node_modules'))
    expect(own.filter((file) => /\.test\.|tsbuildinfo|^test\//.test(file))).toEqual([])
    const readme = readFileSync(join(placeOf(folder), 'README.md'), 'utf8')
    const links = [...readme.matchAll(/\]\((?!https?:|#)([^)#]+)/g)].map(([, link = '']) => link)
    expect(links.filter((link) => !existsSync(join(placeOf(folder), link)))).toEqual([])
  })
})

longTest('the bundled command imports only its dependencies', () => {
  const bundle = join(placeOf('cli'), 'bundle')
  const files = readdirSync(bundle, { recursive: true, encoding: 'utf8' })
  const imported = files
    .filter((file) => file.endsWith('.js'))
    .flatMap((file) => importsOf(file, readFileSync(join(bundle, file), 'utf8')))
    .map(({ specifier }) => specifier)
    .filter((name) => !/^(\.|\(computed\))/.test(name) && !isBuiltin(name))
    .map((name) => name.match(/^(@[^/]+\/)?[^/]+/)![0])
  const { dependencies = {} } = manifests.get('cli')!
  expect([...new Set(imported)].filter((name) => !(name in dependencies))).toEqual([])
  expect(imported.length).toBeGreaterThan(0)
  expect(readFileSync(join(bundle, 'LICENSES.txt'), 'utf8')).toContain('commander')
})

test('the first program of the README runs', async () => {
  const readme = readFileSync(join(root, 'README.md'), 'utf8')
  const [first] = snippetsIn('README.md', readme)
  const { port } = server.address() as AddressInfo
  const code = first!.code.replace('http://127.0.0.1:11434', `http://127.0.0.1:${port}`)
  expect(code).toContain(`:${port}`)
  writeFileSync(join(project, 'program.mjs'), code)
  expect(await node('program.mjs')).toEqual({ code: 0, output: 'Yes: It is raining in Hanoi.\n' })
})

test('every entry point can be imported', async () => {
  const specifiers = folders.flatMap((folder) => {
    const { name, exports = {} } = manifests.get(folder) as Manifest & { exports?: object }
    return Object.keys(exports)
      .filter((path) => !/\*|\.json$|vscode|opencode/.test(path))
      .map((path) => name + path.slice(1))
  })
  expect(specifiers.length).toBeGreaterThan(20)
  // Any other React package is the program's own choice.
  const code = specifiers
    .filter((name) => name !== '@toolglot/react')
    .map((name) => `await import(${JSON.stringify(name)})\n`)
    .join('')
  writeFileSync(join(project, 'imports.mjs'), `${code}console.log('all')\n`)
  expect(await node('imports.mjs')).toEqual({ code: 0, output: 'all\n' })
})

test('options may be undefined where exactOptionalPropertyTypes is on', () => {
  const headings = readFileSync(join(root, 'docs/api.md'), 'utf8').split(/^### /m).slice(1)
  const modules = headings.map((text, at) => {
    const [, from] = /^`([^`]+)`/.exec(text)!
    const names = [...text.matchAll(/^\| `(\w*(?:Options|Limits|Config))` /gm)]
      .map(([, name]) => name!)
      .filter((name) => /^[A-Z]/.test(name))
    return names.map((name) => ({ from, name, local: `${name}${at}` }))
  })
  const all = modules.flat()
  expect(all.length).toBeGreaterThan(80)
  const imports = all.map(
    ({ from, name, local }) => `import type { ${name} as ${local} } from '${from}'`,
  )
  const checks = all.map(({ local }) => `export type Check${local} = None<Refusing<${local}>>`)
  writeFileSync(join(project, 'options.ts'), [...imports, REFUSING, ...checks, ''].join('\n'))
  writeFileSync(
    join(project, 'tsconfig.json'),
    JSON.stringify({
      compilerOptions: {
        target: 'es2023',
        lib: ['es2023', 'dom'],
        module: 'nodenext',
        strict: true,
        exactOptionalPropertyTypes: true,
        skipLibCheck: true,
        noEmit: true,
        types: [],
      },
      files: ['options.ts'],
    }),
  )
  const words = [join(root, 'node_modules/typescript/bin/tsc'), '-p', project]
  const { stdout } = spawnSync(process.execPath, words, { encoding: 'utf8' })
  expect(stdout).toBe('')
})

/**
 * `Refusing` is the members that may be missing but not undefined; `None` is an error if there are
 * any.
 */
const REFUSING = `
type Refusing<Options> = Options extends unknown
  ? {
      [K in keyof Options]-?: {} extends Pick<Options, K>
        ? { [P in K]: undefined } extends Pick<Options, K> ? never : K
        : never
    }[keyof Options]
  : never
type None<Members extends never> = Members
`

describe('the command', () => {
  const toolglot = (...words: string[]): ReturnType<typeof node> =>
    node(join(placeOf('cli'), manifests.get('cli')!.bin!['toolglot']!), ...words)

  longTest('prints its version', async () => {
    expect(await toolglot('--version')).toEqual({ code: 0, output: '0.1.0\n' })
  })

  longTest('parses', async () => {
    const reply = '<tool_call>\n{"name": "ping", "arguments": {"n": 1,}}\n</tool_call>'
    writeFileSync(join(project, 'reply.txt'), reply)
    const { code, output } = await toolglot('parse', '--json', 'reply.txt')
    expect(code).toBe(0)
    expect(JSON.parse(output)).toMatchObject({ calls: [{ name: 'ping', args: { n: 1 } }] })
  })

  test('runs tools', async () => {
    const words = ['--no-interactive', 'What version is in package.json?']
    const { code, output } = await toolglot('run', '-m', 'script', ...words)
    expect({ code, output }).toEqual({ code: 0, output: 'The version in package.json is 4.5.6.\n' })
  })
})

/** Unpacks a package, and links its dependencies into it. */
function install(folder: string, archive: string): void {
  const place = placeOf(folder)
  mkdirSync(place, { recursive: true })
  const { status } = spawnSync('tar', ['-xzf', archive, '-C', place, '--strip-components=1'])
  if (status !== 0) throw new Error(`${archive} cannot be unpacked`)
  for (const needed of Object.keys(manifestOf(place).dependencies ?? {})) {
    if ([...manifests.values()].some((each) => each.name === needed)) continue
    const link = join(place, 'node_modules', needed)
    mkdirSync(dirname(link), { recursive: true })
    symlinkSync(installed(folder, needed), link)
  }
}

/** The path of a third-party package in this repository. */
function installed(folder: string, name: string): string {
  const nested = join(root, 'packages', folder, 'node_modules', name)
  return existsSync(nested) ? nested : join(root, 'node_modules', name)
}

function manifestOf(folder: string): Manifest {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest
}

/** Runs a program in the project. Its standard error is shown if it fails. */
function node(...words: string[]): Promise<{ code: number | null; output: string }> {
  const { HOME: _, XDG_CONFIG_HOME: __, XDG_STATE_HOME: ___, ...env } = process.env
  const child: ChildProcess = spawn(process.execPath, words, {
    cwd: project,
    env: { ...env, HOME: join(project, 'home'), NO_COLOR: '1', NODE_OPTIONS: '' },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  let errors = ''
  child.stdout!.on('data', (chunk) => (output += String(chunk)))
  child.stderr!.on('data', (chunk) => (errors += String(chunk)))
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code) => resolve({ code, output: code === 0 ? output : output + errors }))
  })
}

/**
 * A server with a model that writes Hermes, as Qwen does: it calls the tool for Hanoi, and answers
 * with the result.
 */
function answerLikeOllama(to: Server): void {
  to.on('request', (request, response) => {
    let body = ''
    request.on('data', (chunk) => (body += String(chunk)))
    request.on('end', () => {
      if (request.url !== '/api/chat') return response.writeHead(404).end('{}')
      const { messages } = JSON.parse(body) as { messages: { role: string; content: string }[] }
      const result = messages.at(-1)!.content.match(/<tool_response>\s*(.*?)\s*<\/tool_response>/s)
      const call = '{"name": "get_weather", "arguments": {"city": "Hanoi"}}'
      const content = result ? `Yes: ${result[1]}` : `<tool_call>\n${call}\n</tool_call>`
      const line = { message: { role: 'assistant', content }, done: true, done_reason: 'stop' }
      response.writeHead(200, { 'content-type': 'application/x-ndjson' })
      return response.end(`${JSON.stringify(line)}\n`)
    })
  })
}
