import { mkdirSync } from 'node:fs'
import { createHash } from 'node:crypto'
import { basename, dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { folderOf } from '../../../tests/helpers/folder.ts'
import { runInChild } from '../../permissions/test/in-child.ts'
import { oddFiles } from '../../permissions/test/odd-files.ts'

/**
 * A reader of a file: the file's path in a folder, and code that reads it, with `from(package,
 * module)`.
 */
interface Reader {
  readonly at: string
  readonly code: string
  /** True if the function returns nothing, or a message that need not contain the file's name. */
  readonly ignores?: true
}

const pin = createHash('sha256').update(JSON.stringify('a')).digest('hex')
const WORKSPACE = `const { openWorkspace } = await from('workspace', 'index')
  const { warnings, permissions } = await openWorkspace(folder, { env: { HOME: folder + '/home' } })
  await permissions()
  return warnings.join('; ')`
const INSTRUCTIONS = `return (await from('workspace', 'prepare-run')).findInstructions(folder, {
  directories: { config: folder + '/config' } }).problems.join('; ')`
const GIT = `const { decide, readRules } = await from('permissions', 'index')
  const { nodeFileSystem } = await from('permissions', 'node/index')
  const view = nodeFileSystem({ cwd: folder, home: folder + '/home' })
  for (const command of ['git status', 'git diff', 'git add .', 'cat a > b', 'git show'])
    await decide({ name: 'Bash', args: { command } }, readRules({ allow: ['Bash(*)'] }), view)
  ;(await from('workspace', 'git-index')).isTracked(folder + '/a', folder)`
const command = (text: string): string => `return run(${text})`

const READERS: Readonly<Record<string, Reader>> = {
  'a small file': {
    at: 'a',
    code: "return (await from('permissions', 'node/read-file')).readSmallFile(file)",
  },
  'a site': {
    at: 'a.json',
    code: "return (await from('agent', 'node/browser/site')).readSite(file)",
  },
  'a chat template': {
    at: 'a.jinja',
    code: "return (await from('agent', 'node/template-files')).templateFiles.read(file)",
  },
  'a GGUF file': {
    at: 'a.gguf',
    code: "return (await from('agent', 'node/gguf/gguf-file')).readGgufFile(file)",
  },
  'a cassette': {
    at: 'a.jsonl',
    code: "return (await from('agent', 'node/cassette-file')).cassetteFile(file).load()",
  },
  'a cassette to append to': {
    at: 'a.jsonl',
    ignores: true,
    code: "await (await from('agent', 'node/cassette-file')).cassetteFile(file).add({})",
  },
  'the index of a journal': {
    at: 'a-shm',
    ignores: true,
    code: "(await from('agent', 'node/journal/connect')).readWalIndex(folder + '/a')",
  },
  'the journal': {
    at: 'a.sqlite',
    code: "await (await from('agent', 'node/index')).sqliteJournal({ file }).open('a')",
  },
  'the list of trusted folders': {
    at: 'a.json',
    code: `(await from('workspace', 'trust/trust-store')).addTrust(file, { folder, digests: [], time: '' })`,
  },
  'code that is trusted': {
    at: 'a.mjs',
    ignores: true,
    code: "(await from('workspace', 'trust/digest')).importedFiles(file)",
  },
  'code to load': {
    at: 'a.mjs',
    code: "await (await from('workspace', 'code/import-file')).importFile(file)",
  },
  'named settings': {
    at: 'a.json',
    code: `const read = (await from('workspace', 'settings/find-settings')).readSettingsFile
      return (await read(file, { root: folder })).problems.map(({ file, reason }) => file + reason).join()`,
  },
  'settings in YAML': {
    at: 'a.yaml',
    code: `const read = (await from('workspace', 'settings/find-settings')).readSettingsFile
      return (await read(file, { root: folder })).problems.map(({ file, reason }) => file + reason).join()`,
  },
  'settings to change': {
    at: 'home/.config/toolglot/settings.json',
    code: `const { changeUserSettings } = await from('workspace', 'settings/user-settings')
      changeUserSettings({ home: folder, config: folder + '/home/.config/toolglot' }, 'model', 'a')`,
  },
  ...Object.fromEntries(
    ['.toolglot/settings.json', '.toolglot/settings.local.json', '.aiignore'].map((at) => [
      at,
      { at, code: WORKSPACE },
    ]),
  ),
  ...Object.fromEntries(
    ['AGENTS.md', 'config/instructions.md'].map((at) => [at, { at, code: INSTRUCTIONS }]),
  ),
  ...Object.fromEntries(
    ['.git', '.git/HEAD', '.git/config', '.git/commondir', '.git/index', '.git/packed-refs'].map(
      (at) => [at, { at, code: GIT, ignores: true }],
    ),
  ),
  'the tokens': {
    at: 'tokens.json',
    code: "(await from('server', 'security/token-file')).openTokenFile(file, () => 'x'.repeat(40))",
  },
  'ended sessions': {
    at: 'ended.json',
    code: `let problem
      ;(await from('server', 'security/login')).endedSessionsFile(file, (each) => (problem = each)).load()
      if (problem) throw problem`,
  },
  'the port of the server': {
    at: 'server.json',
    ignores: true,
    code: "(await from('server', 'node/port')).rememberedPort(folder)",
  },
  'a todo list': {
    at: 'todos/a.json',
    code: "await (await from('tools', 'tools/todo-list')).readTodos({ folder }, 'a')",
  },
  'the pins of a tool': {
    at: `mcp/${pin}.json`,
    ignores: true,
    code: "await (await from('tools', 'mcp/client/pins')).createPins({ folder }).load('a')",
  },
  'a log of changes': {
    at: 'a.jsonl',
    code: "await (await from('tools', 'checkpoint/store')).createChangeLog(folder).read('a')",
  },
  'content to restore': {
    at: 'a',
    code: "await (await from('tools', 'checkpoint/store')).createBlobs(folder).get('a')",
  },
  'the history of the chat': {
    at: 'a',
    ignores: true,
    code: "(await from('cli', 'chat/history')).openHistory(file)",
  },
  'settings of another program': {
    at: 'a.json',
    code: "(await from('cli', 'connect/connection')).readClientFile(file)",
  },
  'a file for Read': {
    at: 'a',
    code: `const { createTools, nodeHost } = await from('tools', 'index')
      const host = nodeHost({ cwd: folder, storage: folder + '/storage' })
      const read = createTools(host).find(({ name }) => name === 'Read')
      await read.execute({ file_path: file }, { run: 'a', call: 'b', signal: new AbortController().signal })`,
  },
  'toolglot parse': { at: 'a', code: command("['parse', file]"), ignores: true },
  'toolglot parse --tools': { at: 'a', code: command("['parse', '--samples', '--tools', file]") },
  'toolglot protocols': { at: 'a', code: command("['protocols', '--template', file]") },
  'toolglot runs import': { at: 'a', code: command("['runs', 'import', file]"), ignores: true },
}

/** Files that a reader may be able to read. */
const READABLE = ['no permission', 'not UTF-8', 'a link to nothing', 'a file without a size']

test('no reader hangs on an odd file, and each reports it', { timeout: 240_000 }, async () => {
  const top = folderOf()
  const cases = []
  for (const [kind, make] of Object.entries(oddFiles(join(top, 'odd'))))
    for (const [reader, { at, code }] of Object.entries(READERS)) {
      const folder = join(top, `${cases.length}`)
      const file = join(folder, at)
      mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
      await make(file)
      cases.push({ name: `${kind}: ${reader}`, kind, reader, code, values: { folder, file } })
    }
  const outcomes = await runInChild(cases)
  // A case that hangs is the first missing one.
  expect(cases.find(({ name }) => !outcomes.has(name))?.name).toBeUndefined()
  const unnamed = cases.filter(({ name, kind, reader }) => {
    const said = outcomes.get(name)!
    const { at, ignores } = READERS[reader]!
    if (said.includes('    at ')) return true
    if (ignores || READABLE.includes(kind)) return false
    return !said.includes(basename(at)) || said.trim().split('\n').length > 2
  })
  expect(unnamed.map(({ name }) => [name, outcomes.get(name)])).toEqual([])
})
