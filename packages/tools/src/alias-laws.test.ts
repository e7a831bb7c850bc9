import { Client, InMemoryTransport } from '@modelcontextprotocol/client'
import { aliasTools, type AnyTool, collect, execute, run, tool, type Tool } from '@toolglot/agent'
import { toolsByName } from '@toolglot/agent/internal'
import { memoryJournal } from '@toolglot/agent/journal'
import { createRegistry, toExecuteOptions } from '@toolglot/agent/registry'
import { scriptedModel } from '@toolglot/agent/testing'
import {
  decide,
  type Decision,
  type FileSystemView,
  type PermissionMode,
  type Permissions,
  readRules,
} from '@toolglot/permissions'
import { printCalls } from '@toolglot/core'
import { hermes } from '@toolglot/core/protocols/hermes'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { sharedFolderOf } from '../../../tests/helpers/folder.ts'
import { runs } from '../../../tests/helpers/size.ts'
import { fileSystemAt } from '../test/tree.ts'
import { createTools } from './create-tools.ts'
import { mcpServers } from './mcp/server/mcp-servers.ts'
import { nodeHost } from './node/host.ts'

type Arguments = Readonly<Record<string, unknown>>

interface Made {
  readonly name: string
  readonly args: Arguments
}

/**
 * The outcome of a call: the tool that ran or the reason it didn't, and the requests to the user.
 */
interface Came {
  readonly ran: readonly unknown[]
  readonly failure?: { readonly type: unknown; readonly details: unknown } | undefined
  readonly asked: readonly unknown[]
}

const fileSystem: FileSystemView = fileSystemAt('/work')
const testCommand = 'npm test'

const described = createTools(
  nodeHost({ fileSystem, storage: { folder: sharedFolderOf() }, sandbox: { use: 'none' } }),
)

/** The canonical tools with their real definitions; they only record that they ran. */
function recorded(ran: unknown[]): ReadonlyMap<string, Tool> {
  return new Map(
    [...described].map(([name, each]) => [
      name,
      {
        ...each,
        execute: (args: Arguments) => {
          ran.push([name, { ...args }])
          return RESULT
        },
        show: () => 'shown',
      },
    ]),
  )
}

/** A result of the right shape for each tool. */
const RESULT = {
  ...{ content: '', total_lines: 0, files: [], total: 0, truncated: false, matches: [] },
  ...{ total_matches: 0, diagnostics: [], success: true, bytes_written: 0, exit_code: 0 },
}

const SETS: Readonly<Record<string, (tools: ReadonlyMap<string, Tool>) => readonly Tool[]>> = {
  'the whole map': (tools) => [...tools.values(), ...aliasTools(tools, { testCommand })],
  'aliases first': (tools) => [...aliasTools(tools, { testCommand }), ...tools.values()],
  'aliases alone': (tools) => aliasTools(tools, { testCommand }),
  'no alias': (tools) => [...tools.values()],
}

const path = fc.constantFrom('a.txt', '.env', 'src/b.ts', './src/../.env', '/etc/passwd', 'src')
const command = fc.constantFrom('echo hi', 'sudo ls', 'cat .env', 'echo a && sudo b', 'npm test')
const alias: fc.Arbitrary<Made> = fc.oneof(
  made('read_file', fc.record({ path })),
  made('write_file', fc.record({ path, content: fc.constant('x') })),
  made('list_files', fc.record({ directory: path })),
  made('search_files', fc.record({ pattern: fc.constantFrom('**', '../*'), path })),
  made('search_code', fc.record({ query: fc.constant('x'), options: fc.record({ path }) })),
  made('get_diagnostics', fc.record({ file: path }, { requiredKeys: [] })),
  made('bash', fc.record({ command })),
  made('run_tests', fc.constant({})),
  // An invalid call is invalid by either name.
  made('read_file', fc.constant({ path: 'a.txt', file_path: '.env' })),
  made('bash', fc.constant({ command: 'echo hi', run_as: 'root' })),
)

function made(name: string, args: fc.Arbitrary<Arguments>): fc.Arbitrary<Made> {
  return args.map((each) => ({ name, args: each }))
}

const rule = fc.constantFrom(
  ...['Read', 'Read(.env)', 'Read(src/**)', 'read_file', 'read_file(.env)', 'Edit(**)', 'Write'],
  ...[
    'write_file',
    'write_file(src/**)',
    'Glob',
    'Glob(src/**)',
    'list_files',
    'search_files(src)',
  ],
  ...['Grep', 'search_code', 'search_code(src/**)', 'LSP', 'get_diagnostics', 'Bash', 'bash'],
  ...['Bash(echo:*)', 'bash(echo:*)', 'Bash(sudo:*)', 'bash(sudo:*)', 'bash(npm test)'],
)
const rules = fc.uniqueArray(rule, { maxLength: 4 })
const setting = fc.record({
  texts: fc.record({ allow: rules, ask: rules, deny: rules }),
  mode: fc.constantFrom<PermissionMode>('default', 'acceptEdits', 'plan', 'dontAsk'),
  person: fc.constantFrom('allow', 'deny', undefined),
})

interface Setting {
  readonly texts: Readonly<Record<'allow' | 'ask' | 'deny', readonly string[]>>
  readonly mode: PermissionMode
  readonly person: 'allow' | 'deny' | undefined
}

function permissionsOf({ texts, mode }: Setting): Permissions {
  return { ...readRules(texts), mode, testCommand }
}

interface Way {
  /** True if a user can be asked. */
  readonly asks: boolean
  readonly call: (made: Made, tools: readonly AnyTool[], setting: Setting) => Promise<Failed>
}

type Failed = { readonly error_type: unknown; readonly details?: unknown } | undefined

/** Every way to make a call; `onAsk` gets the requests to the user. */
function waysWith(
  onAsk: (decision: Decision, hash?: string) => void,
): Readonly<Record<string, Way>> {
  const answerOf = (person: Setting['person']) =>
    person && {
      approve: async ({ decision, hash }: { decision: Decision; hash: string }) => {
        onAsk(decision, hash)
        return { verdict: person }
      },
    }
  const through = async (
    { name, args }: Made,
    registry: ReturnType<typeof createRegistry>,
    given: Setting,
  ): Promise<Failed> => {
    const outcome = await execute(
      { id: '1', name, args },
      {
        ...toExecuteOptions(registry, permissionsOf(given)),
        fileSystem,
        ...answerOf(given.person),
      },
    )
    return outcome.status === 'error' ? outcome.failure : undefined
  }
  return {
    execute: {
      asks: true,
      async call({ name, args }, tools, given) {
        const outcome = await execute(
          { id: '1', name, args },
          {
            tools: toolsByName(tools),
            permissions: permissionsOf(given),
            fileSystem,
            ...answerOf(given.person),
          },
        )
        return outcome.status === 'error' ? outcome.failure : undefined
      },
    },
    registry: {
      asks: true,
      call: (each, tools, given) => through(each, createRegistry(tools), given),
    },
    'registry with middleware': {
      asks: true,
      call(each, tools, given) {
        const registry = createRegistry(tools)
        registry.use((call, next) => next({ ...call, args: { ...call.args } }))
        return through(each, registry, given)
      },
    },
    'registry that allows its own tools': {
      asks: true,
      call(each, tools, given) {
        const own = tool({
          name: 'own',
          description: 'Mine',
          parameters: { type: 'object' },
          execute: () => 'mine',
        })
        return through(each, createRegistry([own, ...tools], { mode: 'auto' }), given)
      },
    },
    run: {
      asks: true,
      async call(each, tools, given) {
        const model = scriptedModel([printCalls(hermes, [each]), 'Done.'])
        const journal = memoryJournal()
        const { calls } = await collect(
          run({
            id: 'run',
            model,
            protocol: hermes,
            tools,
            fileSystem,
            journal,
            prompt: 'Go',
            permissions: permissionsOf(given),
            ...answerOf(given.person),
          }),
        )
        // Events and records have the name that the model wrote.
        expect(calls.map(({ name }) => name)).toEqual([each.name])
        const records = await journal.read('run')
        expect(JSON.stringify(records.find(({ key }) => key === 'turn/0'))).toContain(each.name)
        return calls[0]!.outcome.failure
      },
    },
    MCP: {
      asks: false,
      async call({ name, args }, tools, given) {
        const permissions = permissionsOf(given)
        const options = { tools: toolsByName(tools), permissions, fileSystem, version: '1' }
        const server = await mcpServers(options)({ era: 'legacy' })
        const [ours, theirs] = InMemoryTransport.createLinkedPair()
        const client = new Client({ name: 'test', version: '1' })
        await Promise.all([server.connect(ours), client.connect(theirs)])
        const { isError, structuredContent } = await client.callTool({ name, arguments: args })
        await client.close()
        return isError ? (structuredContent as unknown as Failed) : undefined
      },
    },
  }
}

const WAYS = Object.keys(waysWith(() => {}))

/** Makes a call in one of several ways with one set of tools. */
async function cameOf(way: string, set: string, each: Made, given: Setting): Promise<Came> {
  const ran: unknown[] = []
  const asked: unknown[] = []
  const tools = SETS[set]!(recorded(ran))
  const ways = waysWith((decision, hash) => asked.push([decision.call, decision.verdict, hash]))
  const failure = await ways[way]!.call(each, tools, given)
  const details = failure?.details ?? {}
  return { ran, asked, failure: failure && { type: failure.error_type, details } }
}

/** The call translated to the canonical tool's name and arguments. */
function translated({ name, args }: Made): Made | undefined {
  const found = aliasTools(recorded([]), { testCommand }).find((each) => each.name === name)!
  const alias = found.access.alias!
  const converted = alias.toTool!(args, { testCommand })
  return typeof converted === 'string' ? undefined : { name: alias.tool, args: { ...converted } }
}

test('a call by an alias is decided, approved, run and recorded as a call of its tool', async () => {
  const way = fc.constantFrom(...WAYS)
  const set = fc.constantFrom(...Object.keys(SETS))
  await fc.assert(
    fc.asyncProperty(alias, setting, way, set, async (each, given, how, tools) => {
      // The parser drops arguments that are not in a closed schema.
      fc.pre(how !== 'run' || !('file_path' in each.args || 'run_as' in each.args))
      const own = translated(each)
      const permissions = permissionsOf(given)
      const decision = await decide(each, permissions, fileSystem)
      const came = await cameOf(how, tools, each, given)
      if (!own) {
        expect(decision.error).toBeDefined()
        expect(came).toMatchObject({ ran: [], asked: [] })
        return
      }
      const ofTool = await decide(own, permissions, fileSystem)
      // An undecidable call is reported under the name that the model wrote.
      if (ofTool.error === undefined) expect(decision).toEqual(ofTool)
      else expect(decision).toMatchObject({ verdict: 'deny', error: ofTool.error })
      const reference = await cameOf(how, 'no alias', own, given)
      const { ran } = came
      expect(came.asked).toEqual(reference.asked)
      expect(ran).toEqual(reference.ran)
      expect(came.failure?.type).toBe(reference.failure?.type)
      const isWrong = came.failure?.type === 'invalid_input'
      if (!isWrong) expect(came.failure?.details).toEqual(reference.failure?.details)

      // Exactly the approved call ran.
      const { asks } = waysWith(() => {})[how]!
      const answer = asks ? given.person : undefined
      const mayRun =
        decision.verdict === 'allow' || (decision.verdict === 'ask' && answer === 'allow')
      if (!isWrong) expect(ran).toHaveLength(mayRun ? 1 : 0)
      const { call, runs: text } = decision
      const args = { ...call?.args, ...(text !== undefined && { command: text }) }
      if (ran.length > 0) expect(ran).toMatchObject([[call!.name, args]])
    }),
    runs(400),
  )
})

test('a custom tool takes precedence over an alias of the same name', async () => {
  const ran: string[] = []
  const own = tool({
    name: 'read_file',
    description: 'Mine',
    parameters: { type: 'object' },
    execute: () => ran.push('mine'),
  })
  const { rules: deny } = readRules({ deny: ['Read'] })
  const others = new Map([['read_file', own.access]])
  const { rules: allow } = readRules({ allow: ['read_file'] }, { tools: others })
  const permissions = { rules: [...deny, ...allow] }
  const call = { id: '1', name: 'read_file', args: { path: '.env' } }
  const registry = createRegistry([own])
  await execute(call, { tools: toolsByName([own]), permissions, fileSystem })
  await execute(call, { ...toExecuteOptions(registry, permissions), fileSystem })
  expect(ran).toEqual(['mine', 'mine'])
  expect((await decide(call, { ...permissions, tools: others }, fileSystem)).verdict).toBe('allow')
})
