import { linkSync, mkdirSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { Client, InMemoryTransport } from '@modelcontextprotocol/client'
import {
  aliasTools,
  collect,
  execute,
  type ExecuteResult,
  run,
  tool,
  type ToolCall,
  type ToolContext,
} from '@toolglot/agent'
import { toolsByName } from '@toolglot/agent/internal'
import { createRegistry, toExecuteOptions, toToolkit } from '@toolglot/agent/registry'
import { scriptedModel } from '@toolglot/agent/testing'
import { type Permissions, readRules } from '@toolglot/permissions'
import { nodeFileSystem } from '@toolglot/permissions/node'
import { printCalls } from '@toolglot/core'
import { hermes } from '@toolglot/core/protocols/hermes'
import fc from 'fast-check'
import { afterAll, describe, expect, test } from 'vitest'
import { sharedFolderOf } from '../../../tests/helpers/folder.ts'
import { grow } from '../test/tree.ts'
import { createTools } from './create-tools.ts'
import type { Host } from './host/host.ts'
import { mcpServers } from './mcp/server/mcp-servers.ts'
import { nodeHost } from './node/host.ts'
import { globTool } from './tools/glob.ts'
import { runs } from '../../../tests/helpers/size.ts'

const root = sharedFolderOf()
const host: Host = nodeHost({
  fileSystem: nodeFileSystem({ cwd: root }),
  storage: { folder: sharedFolderOf() },
  sandbox: { use: 'none' },
})
afterAll(() => host.close())

function permissionsOf(
  texts: Partial<Record<'allow' | 'ask' | 'deny', readonly string[]>>,
): Permissions {
  const permissions = readRules(texts, { source: { scope: 'user', root } })
  expect(permissions.problems).toEqual([])
  return permissions
}

const HIDDEN = ['Read(.env)', 'Read(secrets/**)', 'Read(**/*.pem)']

/** Files that are not mentioned in any rule, and files that the rules hide. */
const OPEN = { 'a.txt': 'TOKEN=1\n', 'src/b.ts': 'TOKEN\nTOKEN\n', '.gitignore': 'dist\n' }
const FORMS: Readonly<Record<string, () => void>> = {
  name: () => grow(root, { '.env': 'TOKEN=sesame\n' }),
  below: () => grow(root, { 'src/.env': 'TOKEN=sesame\n' }),
  folder: () => grow(root, { 'secrets/deep/c.txt': 'TOKEN=sesame\n' }),
  ending: () => grow(root, { 'src/key.pem': 'TOKEN=sesame\n', 'a.pem': 'TOKEN=sesame\n' }),
  ignored: () => grow(root, { 'dist/a.pem': 'TOKEN=sesame\n' }),
  binary: () => grow(root, { 'b.pem': Buffer.from('TOKEN=sesame\0\n') }),
  link: () => {
    grow(root, { '.env': 'TOKEN=sesame\n' })
    symlinkSync('.env', join(root, 'a.tx'))
  },
  linkToFolder: () => {
    grow(root, { 'secrets/c.txt': 'TOKEN=sesame\n' })
    symlinkSync('../secrets', join(root, 'src/b'))
  },
}
const HARD: typeof FORMS = {
  hardLink: () => {
    grow(root, { '.env': 'TOKEN=sesame\n' })
    linkSync(join(root, '.env'), join(root, 'src/b.js'))
  },
}

const call = fc.oneof(
  fc.record({
    name: fc.constant('Grep'),
    args: fc.record(
      {
        pattern: fc.constantFrom('TOKEN', 'sesame', '^', 'TOKEN[^]*'),
        output_mode: fc.constantFrom('content', 'files_with_matches', 'count'),
        path: fc.constantFrom('.', 'src'),
        glob: fc.constantFrom('**', '*.pem', '*.{txt,env,pem}'),
        multiline: fc.boolean(),
        '-o': fc.boolean(),
        head_limit: fc.nat(3),
        offset: fc.nat(3),
      },
      { requiredKeys: ['pattern'] },
    ),
  }),
  fc.record({
    name: fc.constant('Glob'),
    args: fc.record(
      {
        pattern: fc.constantFrom('**', '*', '**/*.pem', '**/.env', 'src/**'),
        path: fc.constantFrom('.', 'src'),
        no_ignore: fc.boolean(),
      },
      { requiredKeys: ['pattern'] },
    ),
  }),
  fc.record({
    name: fc.constant('Read'),
    args: fc.record({
      // Folders, and names similar to existing ones.
      file_path: fc.constantFrom('.', 'src', 'a.tx_', '.en', 'src/key.pm', 'src/b.js_', 'secret'),
    }),
  }),
  fc.record({
    name: fc.constant('Edit'),
    args: fc.record({
      file_path: fc.constantFrom('.en', 'a.pe', 'src/ke.pem_'),
      old_string: fc.constant('a'),
      new_string: fc.constant('b'),
    }),
  }),
)

describe('a file that may not be shown behaves like a missing one', () => {
  test.each([
    ['deny', { ...FORMS, ...HARD }],
    ['ask', FORMS],
  ] as const)('%s', async (verdict, forms) => {
    const permissions = permissionsOf({ [verdict]: HIDDEN, allow: ['Edit'] })
    // All ignored files are always counted, regardless of the time it takes: otherwise results
    // would vary.
    const glob = globTool(host, { ignoredTimeout: 60_000 })
    const tools = new Map([...createTools(host), ...toolsByName([glob])])
    const outcomeOf = (made: Omit<ToolCall, 'id'>): Promise<ExecuteResult> =>
      execute({ id: '1', ...made }, { tools, permissions, fileSystem: host.fileSystem })
    const build = (names: readonly string[]): void => {
      rmSync(root, { recursive: true })
      mkdirSync(root)
      grow(root, OPEN)
      // A folder may be visible even if none of its files are.
      mkdirSync(join(root, 'dist'))
      for (const name of names) forms[name as keyof typeof forms]!()
    }
    const some = fc.uniqueArray(fc.constantFrom(...Object.keys(forms)), { minLength: 1 })
    await fc.assert(
      fc.asyncProperty(call, some, async (made, names) => {
        build([])
        const without = await outcomeOf(made)
        // A link and a file cannot have the same name.
        build(names.filter((name) => !name.startsWith('link') || names.length === 1))
        const within = await outcomeOf(made)
        expect(within).toEqual(without)
        expect(JSON.stringify(within)).not.toContain('TOKEN=sesame')
      }),
      runs(150),
    )
  })
})

describe('in every way to run a call', () => {
  const permissions = (): Permissions => permissionsOf({ deny: HIDDEN })
  const grep = { name: 'Grep', args: { pattern: 'TOKEN', output_mode: 'content' } }
  const search = { name: 'search_code', args: { query: 'TOKEN' } }
  const base = (): { permissions: Permissions; fileSystem: Host['fileSystem'] } => ({
    permissions: permissions(),
    fileSystem: host.fileSystem,
  })
  const found = (context: ToolContext): unknown =>
    createTools(host).get('Grep')!.execute(grep.args, context)
  const through = (
    registry: ReturnType<typeof createRegistry>,
    made: Omit<ToolCall, 'id'> = grep,
  ): Promise<ExecuteResult> =>
    execute({ id: '1', ...made }, { ...base(), ...toExecuteOptions(registry, permissions()) })

  const ways: Readonly<Record<string, () => Promise<unknown>>> = {
    execute: () => execute({ id: '1', ...grep }, { ...base(), tools: createTools(host) }),
    'an alias': () => execute({ id: '1', ...search }, { ...base(), tools: createTools(host) }),
    'an alias that has another name': async () => {
      const [alias] = aliasTools(createTools(host)).filter(({ name }) => name === 'search_code')
      return through(createRegistry([{ ...alias!, name: 'find_text' }]), {
        ...search,
        name: 'find_text',
      })
    },
    'a registry with middleware that changes the call': () => {
      const registry = createRegistry([...createTools(host).values()])
      registry.use((made, next) => next({ ...made, args: { ...made.args, '-i': true } }))
      return through(registry)
    },
    'a method of a toolkit': () => {
      const registry = createRegistry()
      registry.addToolkit({
        id: 'files',
        methods: [
          {
            name: 'grep',
            agentCallable: true,
            readOnly: true,
            parameters: { type: 'object' },
            execute: (_, context) => found(context),
          },
        ],
      })
      return through(registry, { name: 'files_grep', args: {} })
    },
    'an instance': () => {
      const registry = createRegistry()
      const methods = [{ name: 'grep', agentCallable: true, readOnly: true }]
      registry.addToolkit(
        toToolkit({
          id: 'files',
          getMetadata: () => ({ methods }),
          grep: (_: unknown, context: ToolContext) => found(context),
        } as never),
      )
      return through(registry, { name: 'files_grep', args: {} })
    },
    'a tool of your own': () => {
      const own = tool({
        name: 'own',
        description: 'Searches',
        parameters: { type: 'object' },
        readOnly: true,
        execute: (_, context) => found(context),
      })
      return through(createRegistry([own]), { name: 'own', args: {} })
    },
    'a run': async () => {
      const model = scriptedModel([printCalls(hermes, [grep]), 'Done.'])
      const { calls } = await collect(
        run({ ...base(), model, protocol: hermes, tools: createTools(host), prompt: 'Search' }),
      )
      return calls
    },
    MCP: async () => {
      const server = await mcpServers({ ...base(), tools: createTools(host), version: '1' })({
        era: 'legacy',
      })
      const [ours, theirs] = InMemoryTransport.createLinkedPair()
      const client = new Client({ name: 'test', version: '1' })
      await Promise.all([server.connect(ours), client.connect(theirs)])
      const answer = await client.callTool({ name: grep.name, arguments: grep.args })
      await client.close()
      return answer
    },
  }

  test.each(Object.keys(ways))('%s', async (way) => {
    rmSync(root, { recursive: true })
    mkdirSync(root)
    grow(root, { ...OPEN, '.env': 'TOKEN=sesame\n', 'secrets/c.txt': 'TOKEN=sesame\n' })
    const output = JSON.stringify(await ways[way]!())
    expect(output).toContain('TOKEN=1')
    expect(output).not.toContain('sesame')
    expect(output).not.toContain('.env')
  })
})
