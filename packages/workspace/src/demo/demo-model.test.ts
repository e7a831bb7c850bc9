import { join } from 'node:path'
import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { collect, run, type RunResult } from '@toolglot/agent'
import { nodeFileSystem } from '@toolglot/permissions/node'
import { createTools, nodeHost, nodeStorage } from '@toolglot/tools'
import { type Protocol, protocols } from '@toolglot/core'
import { folderOf } from '../../../../tests/helpers/folder.ts'
import { demoModel, tasks } from './demo-model.ts'
import { isLong, share } from '../../../../tests/helpers/size.ts'

const files = {
  'package.json': '{\n  "name": "x",\n  "version": "3.2.1-beta"\n}\n',
  'README.md': '# Title\n\nTODO: say more "here" <b>\n',
}

async function ask(
  prompt: string,
  protocol: Protocol | undefined,
  cwd: string = folderOf(files),
): Promise<RunResult> {
  const storage = nodeStorage(folderOf())
  const host = nodeHost({
    fileSystem: nodeFileSystem({ cwd }),
    storage,
    environment: { PATH: process.env['PATH'] },
  })
  const { fileSystem } = host
  try {
    return await collect(
      run({
        model: demoModel({ protocol }),
        protocol: protocol ?? 'native',
        tools: createTools(host),
        fileSystem,
        permissions: { allow: ['Edit(**)', 'Bash(node --version:*)'] },
        ask: async ([question]) => ({ [question!.question]: 'Tea' }),
        prompt,
      }),
    )
  } finally {
    await host.close()
  }
}

describe('answers with the real results', () => {
  test.each(share(Object.keys(protocols), 5))('in %s', async (id) => {
    const { reason, text, calls } = await ask('What version is in package.json?', protocols[id]!)
    expect({ reason, text }).toEqual({
      reason: 'answer',
      text: 'The version in package.json is 3.2.1-beta.',
    })
    expect(calls.map(({ name, outcome }) => [name, outcome.status])).toEqual([['Read', 'success']])
  })

  test('with native function calling', async () => {
    expect((await ask('What version is it?', undefined)).text).toContain('3.2.1-beta')
  })
})

describe('each task', () => {
  const hermes = protocols['hermes']!
  test.each([
    ['Find *.json', ['Glob'], /^Glob found:\npackage\.json$/],
    ['Which files are there?', ['Glob'], /README\.md/],
    ['Search for TODO', ['Grep'], /TODO: say more "here" <b>/],
    ['Count the lines of README.md', ['Grep'], /^README\.md has 3 lines\.$/],
    ['How many lines are in nothing.md?', ['Grep'], /nothing\.md/],
    ['Read README.md', ['Read'], /starts like this:\n.*# Title/],
    ['Run node --version', ['Bash'], new RegExp(`Bash returned:\n${process.version}`)],
    ['Ask me a question', ['AskUserQuestion'], /Which do you like better\?\n→ Tea/],
    ['Make a todo list', ['TodoWrite', 'TodoWrite'], /1 of 3 todos done/],
    ['What version is in nothing.json?', ['Read'], /no version in nothing\.json/],
    ['Sing a song', [], /^I'm a built-in demo script, not an AI/],
  ])('%s', async (prompt, names, answer) => {
    const { reason, text, calls } = await ask(prompt, hermes)
    expect({ reason, names: calls.map(({ name }) => name) }).toEqual({ reason: 'answer', names })
    expect(text).toMatch(answer)
  })

  test('writes and edits a file', async () => {
    const cwd = folderOf()
    const { text, calls } = await ask('Create hello.txt and edit it', hermes, cwd)
    expect(calls.map(({ name }) => name)).toEqual(['Write', 'Edit'])
    expect(text).toContain('+Hello from a script that can edit, too.')
    expect(readFileSync(join(cwd, 'hello.txt'), 'utf8')).toMatch(
      /^Hello from a script that can edit/,
    )
  })

  test('every example matches its own task', () => {
    for (const task of tasks)
      expect(tasks.find(({ match }) => match(task.example) !== undefined)).toBe(task)
  })
})

test('a file in the prompt is not searched for tasks', async () => {
  const { reason } = await ask(`Hi\n${'x'.repeat(isLong ? 3_000_000 : 300_000)}`, protocols.hermes)
  expect(reason).toBe('answer')
})
