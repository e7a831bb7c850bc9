import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type ExecuteResult, execute, type Tool } from '@toolglot/agent'
import { readRules } from '@toolglot/permissions'
import { nodeFileSystem } from '@toolglot/permissions/node'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { folderOf } from '../../../tests/helpers/folder.ts'
import { createTools } from './create-tools.ts'
import type { Host } from './host/host.ts'
import { nodeHost } from './node/host.ts'
import { readTodos } from './tools/todo-list.ts'
import { runs } from '../../../tests/helpers/size.ts'

/** A call of a tool, or an action of another program in between. */
type Action =
  | { readonly tool: string; readonly args: Record<string, unknown> }
  | { readonly put: string; readonly content: string }
  | { readonly readOutput: true }

const names = fc.constantFrom('a.txt', 'b.txt', 'sub/c.txt')
const words = fc.constantFrom('one', 'two', 'é', 'one\r\ntwo one', '')
const file_path = fc.constantFrom('a.txt', 'b.txt', 'c.txt', 'sub/c.txt')

function calls(tool: string, args: Record<string, fc.Arbitrary<unknown>>): fc.Arbitrary<Action> {
  return fc.record(args).map((made) => ({ tool, args: made }))
}

const actions: fc.Arbitrary<Action> = fc.oneof(
  { weight: 4, arbitrary: calls('Read', { file_path }) },
  { weight: 1, arbitrary: calls('Read', { file_path, offset: fc.constantFrom(1, 2) }) },
  { weight: 1, arbitrary: calls('Read', { file_path, encoding: fc.constant('windows-1252') }) },
  { weight: 3, arbitrary: calls('Write', { file_path, content: words }) },
  {
    weight: 4,
    arbitrary: calls('Edit', {
      file_path,
      old_string: fc.constantFrom('one', 'two', 'ONE'),
      new_string: fc.constantFrom('one', 'two', 'é'),
      replace_all: fc.boolean(),
    }),
  },
  {
    weight: 3,
    arbitrary: calls('Bash', {
      command: fc.constantFrom(
        'cd sub',
        'cd ..',
        'pwd',
        'printf "\\xe9 one\\n" > a.txt',
        'seq 20000',
        'rm -f c.txt',
      ),
    }),
  },
  {
    weight: 1,
    arbitrary: calls('Bash', {
      command: fc.constant('true'),
      run_in_background: fc.constant(true),
    }),
  },
  {
    weight: 1,
    arbitrary: calls('TodoWrite', {
      todos: fc.array(
        fc.record({
          content: fc.constantFrom('Build', 'Test'),
          status: fc.constantFrom('pending', 'completed'),
          activeForm: fc.constant('Working'),
        }),
        { maxLength: 2 },
      ),
    }),
  },
  { weight: 2, arbitrary: fc.record({ put: names, content: words }) },
  { weight: 2, arbitrary: fc.constant({ readOutput: true } as const) },
)

/** Actions that depend on each other, which rarely occur together by chance. */
const together = fc.constantFrom<readonly Action[]>(
  [{ tool: 'Bash', args: { command: 'seq 20000' } }, { readOutput: true }],
  [
    { tool: 'Bash', args: { command: String.raw`printf '\xe9\xe8 one\n' > b.txt` } },
    { tool: 'Read', args: { file_path: 'b.txt', encoding: 'windows-1251' } },
    { tool: 'Edit', args: { file_path: 'b.txt', old_string: 'one', new_string: 'ж' } },
  ],
  [
    { put: 'a.txt', content: 'one one\n' },
    { tool: 'Read', args: { file_path: 'a.txt' } },
    { tool: 'Bash', args: { command: 'touch -d 2001-01-01 a.txt' } },
    {
      tool: 'Edit',
      args: { file_path: 'a.txt', old_string: 'one', new_string: '1', replace_all: true },
    },
  ],
)

const sequences = fc
  .array(fc.oneof({ weight: 3, arbitrary: actions.map((each) => [each]) }, together), {
    minLength: 2,
    maxLength: 8,
  })
  .map((parts) => parts.flat())

/** One process that executes a run: its host, its tools, and the run's records. */
class Place {
  readonly #folder: string
  readonly #remembered = new Map<string, string>()
  #host: Host
  #tools: ReadonlyMap<string, Tool>
  #calls = 0
  #lastOutput: string | undefined

  constructor(folder: string) {
    this.#folder = folder
    this.#host = this.#makeHost()
    this.#tools = createTools(this.#host)
    this.put('sub/c.txt', 'one\n')
  }

  get #root(): string {
    return join(this.#folder, 'root')
  }

  #makeHost(): Host {
    return nodeHost({
      fileSystem: nodeFileSystem({ cwd: this.#root }),
      storage: { folder: join(this.#folder, 'storage') },
      sandbox: { use: 'none' },
    })
  }

  put(name: string, content: string): void {
    writeFileSync(join(this.#root, name), content)
  }

  /** Another process continues the run, with nothing but its records. */
  async restart(run: string): Promise<void> {
    await this.#host.close()
    this.#host = this.#makeHost()
    this.#tools = createTools(this.#host)
    const remembered = new Map<string, unknown>(
      [...this.#remembered].map(([key, text]) => [key, JSON.parse(text) as unknown]),
    )
    for (const tool of this.#tools.values()) await tool.resume?.(run, remembered)
  }

  async act(action: Action, run: string): Promise<unknown> {
    if ('put' in action) return this.put(action.put, action.content)
    if ('readOutput' in action)
      return this.call('Read', { file_path: this.#lastOutput ?? 'a.txt', limit: 3 }, run)
    return this.call(action.tool, action.args, run)
  }

  async call(name: string, args: Record<string, unknown>, run: string): Promise<unknown> {
    const result = await execute(
      { id: `call-${++this.#calls}`, name, args },
      {
        tools: this.#tools,
        permissions: readRules({ allow: ['Bash', 'Write', 'Edit'] }),
        fileSystem: this.#host.fileSystem,
        run,
        remember: (key, value) => void this.#remembered.set(key, JSON.stringify(value)),
      },
    )
    if (result.status === 'success') {
      const { output_file } = (result.result ?? {}) as { readonly output_file?: string }
      this.#lastOutput = output_file ?? this.#lastOutput
    }
    return this.#plain(result)
  }

  /** Removes all data that depends on the folder, the process or the time. */
  #plain(result: ExecuteResult): unknown {
    const text = JSON.stringify(result, (key, value: unknown) =>
      ['pid', 'duration_ms'].includes(key) ? undefined : value,
    )
    return text
      .replaceAll(this.#folder, '')
      .replaceAll(/[\da-f]{16}-\d+-[\da-f]{8}\.log/g, 'LOG')
      .replaceAll(/\(process \d+\)/g, '')
  }

  todos(run: string): Promise<unknown> {
    return readTodos(this.#host.storage, run)
  }

  get cwd(): string {
    return this.#host.fileSystem.cwd.replace(this.#folder, '')
  }

  close(): Promise<void> {
    return this.#host.close()
  }
}

async function withPlaces(
  work: (undisturbed: Place, restarted: Place) => Promise<void>,
): Promise<void> {
  const [undisturbed, restarted] = [0, 1].map(() => {
    const folder = folderOf()
    for (const each of ['root/sub', 'storage']) mkdirSync(join(folder, each), { recursive: true })
    return new Place(folder)
  })
  try {
    await work(undisturbed!, restarted!)
  } finally {
    await Promise.all([undisturbed!.close(), restarted!.close()])
  }
}

test('a run whose process is replaced at any point gets the same results', async () => {
  await fc.assert(
    fc.asyncProperty(sequences, fc.nat(), async (all, seed) =>
      withPlaces(async (undisturbed, restarted) => {
        const at = 1 + (seed % (all.length - 1))
        for (const [index, action] of all.entries()) {
          if (index === at) await restarted.restart('run')
          expect(await restarted.act(action, 'run')).toEqual(await undisturbed.act(action, 'run'))
        }
        expect(restarted.cwd).toBe(undisturbed.cwd)
        expect(await restarted.todos('run')).toEqual(await undisturbed.todos('run'))
      }),
    ),
    runs(60),
  )
}, 120_000)

test('a fork, which has another id, gets the same results', async () => {
  await fc.assert(
    fc.asyncProperty(sequences, fc.nat(), async (all, seed) =>
      withPlaces(async (source, fork) => {
        const at = 1 + (seed % (all.length - 1))
        for (const action of all.slice(0, at)) {
          await source.act(action, 'run')
          await fork.act(action, 'run')
        }
        await fork.restart('fork')
        expect(await fork.todos('fork')).toEqual(await source.todos('run'))
        for (const action of all.slice(at))
          expect(await fork.act(action, 'fork')).toEqual(await source.act(action, 'run'))
      }),
    ),
    runs(40),
  )
}, 120_000)
