import { chmodSync, existsSync, mkdirSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { execute, type ExecuteOptions, type ExecuteResult, type Tool } from '@toolglot/agent'
import { memoryJournal } from '@toolglot/agent/journal'
import { describe, expect, test } from 'vitest'
import { collectEvents } from '../../agent/test/collect-events.ts'
import { call, scripted } from '../../agent/test/scripted.ts'
import { machine } from '../test/machine.ts'
import { bashTool } from './tools/bash.ts'
import { share } from '../../../tests/helpers/size.ts'

/** Code that creates a file, by the language of the file. Its length is the same for every file. */
const CODE: Readonly<Record<string, (name: string) => string>> = {
  sh: (name) => `touch ${name}\n`,
  awk: (name) => `BEGIN { print > "${name}" }\n`,
  sed: (name) => `w ${name}\n`,
  make: (name) => `all:\n\ttouch ${name}\n`,
  py: (name) => `open('${name}', 'w')\n`,
  json: (name) => `{ "scripts": { "x": "touch ${name}" } }\n`,
}

/**
 * A workspace with a code file, which another process can replace, and the tool that runs commands.
 */
async function setting(path: string, language: keyof typeof CODE) {
  const { host, root } = await machine()
  const file = join(root, path)
  mkdirSync(dirname(file), { recursive: true })
  const write = (name: string): void => writeFileSync(file, CODE[language]!(name))
  write(join(root, 'seen'))
  chmodSync(file, 0o755)
  const bash = bashTool(host) as unknown as Tool
  return {
    ...{ host, root, bash },
    /** Simulates another process: the file has the same size and times as before. */
    swap: () => {
      const { atime, mtime } = statSync(file)
      write(join(root, 'evil'))
      utimesSync(file, atime, mtime)
    },
    made: (): string[] => ['seen', 'evil'].filter((name) => existsSync(join(root, name))),
    run: (args: object, options: Partial<ExecuteOptions> = {}): Promise<ExecuteResult> =>
      execute(
        { id: '1', name: 'Bash', args: { ...args } },
        {
          tools: new Map([['Bash', bash]]),
          permissions: { rules: [] },
          fileSystem: host.fileSystem,
          approve: async () => ({ verdict: 'allow' }),
          ...options,
        },
      ),
  }
}

const CHANGED = { status: 'error', failure: { details: { code: 'changed_since_asked' } } }

/** Ways to run a file: its path, its language, and the command. */
const ways: [command: string, path: string, language: keyof typeof CODE][] = [
  ['. ./x.sh', 'x.sh', 'sh'],
  ['source x.sh', 'x.sh', 'sh'],
  ['awk -f x.awk', 'x.awk', 'awk'],
  ['echo a | sed -f x.sed', 'x.sed', 'sed'],
  ['make -f F', 'F', 'make'],
  ['make', 'Makefile', 'make'],
  ['npm run x', 'package.json', 'json'],
  ['python3 -m mod', 'mod.py', 'py'],
  ['python3 -m pkg', 'pkg/__main__.py', 'py'],
  ['eval "$(cat x.sh)"', 'x.sh', 'sh'],
  ['f=x.sh; bash $f', 'x.sh', 'sh'],
  ['cd sub && ./run.sh', 'sub/run.sh', 'sh'],
  ['env X=1 bash x.sh', 'x.sh', 'sh'],
  ['echo a | xargs bash x.sh', 'x.sh', 'sh'],
  ['bash < x.sh', 'x.sh', 'sh'],
  ['bash -c "$(cat x.sh)"', 'x.sh', 'sh'],
]

describe.each(share(ways, 4))('%s', (command, path, language) => {
  test('asks again if another process changes the code before the answer', async () => {
    const { run, swap, made } = await setting(path, language)
    let asked = 0
    const approve = async () => {
      if (asked++ > 0) return { verdict: 'deny' } as const
      swap()
      return { verdict: 'allow' } as const
    }
    expect(await run({ command }, { approve })).toMatchObject({ status: 'error' })
    expect(asked).toBe(2)
    expect(made()).toEqual([])
  })

  test('does not run code that changes between the answer and the start', async () => {
    const { run, swap, made } = await setting(path, language)
    expect(await run({ command }, { begin: async () => swap() })).toMatchObject(CHANGED)
    expect(made()).toEqual([])
  })
})

test('runs unchanged code', async () => {
  const { run, made } = await setting('x.sh', 'sh')
  expect(await run({ command: '. ./x.sh' })).toMatchObject({ status: 'success' })
  expect(made()).toEqual(['seen'])
})

test.each([{}, { run_in_background: true }, { background_on_timeout: true, timeout: 5000 }])(
  'compares the code right before the process starts: %j',
  async (more) => {
    const { run, swap, made, bash, host } = await setting('x.sh', 'sh')
    const late: Tool = {
      ...bash,
      execute: (args, context) => {
        swap()
        return bash.execute(args, context)
      },
    }
    const tools = new Map([['Bash', late]])
    expect(await run({ command: '. ./x.sh', ...more }, { tools })).toMatchObject(CHANGED)
    expect(host.processes.tasks).toEqual([])
    expect(made()).toEqual([])
  },
)

test('an approval answered after a restart is valid for the code at the time of the request', async () => {
  const { bash, host, swap, made } = await setting('Makefile', 'make')
  const journal = memoryJournal()
  const model = scripted([call('Bash', { command: 'make' }), 'Done.'])
  const { fileSystem } = host
  const options = { tools: [bash], prompt: 'Go', id: 'run-1', onWait: 'suspend', journal } as const
  const first = await collectEvents({ ...options, fileSystem, model })
  const [asked] = first.of('approval-request')
  expect(asked!.request.decision.code).toMatchObject({ anything: true })
  expect(await journal.waiting()).toMatchObject([{ code: { anything: true } }])
  await journal.answer('run-1', asked!.key, { verdict: 'allow' })
  swap()
  const second = await collectEvents({ ...options, fileSystem, model })
  expect(second.end.reason).toBe('interrupted')
  expect(second.of('approval-request').map(({ key }) => key)).not.toContain(asked!.key)
  expect(made()).toEqual([])
})
