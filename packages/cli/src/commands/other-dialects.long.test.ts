import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { folderOf } from '../../../../tests/helpers/folder.ts'
import { type CommandResult, startCommand } from '../../test/start-command.ts'
import { calling, talkingServer } from '../../test/talking-server.ts'

const fenced = (name: string, args: object): string =>
  `Sure.\n\`\`\`json\n${JSON.stringify({ name, arguments: args })}\n\`\`\``
const write = { file_path: 'new.txt', content: 'hello\n' }

function start(cwd: string, ...words: string[]): Promise<CommandResult> {
  return startCommand(words, { cwd, env: { HOME: folderOf(), NO_COLOR: '1' } })
}

describe.each(['qwen3:8b', 'odd'])('%s writes calls in a code fence', (name) => {
  const modelOf = (model: string): string => model.replace('qwen3:8b', name)

  test('a read-only call runs, and its format is reported', async () => {
    const reply = fenced('Read', { file_path: 'a.txt' })
    const { model, messages } = await talkingServer(reply, 'It says hi.')
    const cwd = folderOf({ 'a.txt': 'hi there\n' })
    const { code, output, errors } = await start(cwd, 'run', '-m', modelOf(model), 'Read a.txt')
    expect({ code, output }).toEqual({ code: 0, output: 'It says hi.\n' })
    expect(errors).toContain(
      '! read a call of Read that was written in a code fence, not in the hermes format\n',
    )
    expect(messages(1).at(-1)!.content).toContain('hi there')
  })

  test('refuses another call and shows the model the right format, after which the call runs', async () => {
    const { model, messages } = await talkingServer(
      fenced('Write', write),
      calling('Write', write),
      'Done.',
    )
    const cwd = folderOf()
    const words = ['run', '-m', modelOf(model), '--mode', 'acceptEdits', 'Write it']
    const { code, output, errors } = await start(cwd, ...words)
    expect(messages(1).at(-1)!.content).toContain(
      'To call Write, write it in the hermes format, like this:\n\n<tool_call>',
    )
    expect(errors).toContain('This call was not run')
    expect({ code, output }).toEqual({ code: 0, output: 'Done.\n' })
    expect(existsSync(join(cwd, 'new.txt'))).toBe(true)
  })

  test('the command fails if the model gives up', async () => {
    const { model } = await talkingServer(fenced('Write', write), 'I cannot do it.')
    const cwd = folderOf()
    const words = ['run', '-m', modelOf(model), '--mode', 'acceptEdits', 'Write it']
    const { code, output, errors } = await start(cwd, ...words)
    expect({ code, output }).toEqual({ code: 1, output: 'I cannot do it.\n' })
    expect(errors).toContain('denied: a call was not written in the format')
    expect(existsSync(join(cwd, 'new.txt'))).toBe(false)
  })

  test('a model that keeps doing so is stopped', async () => {
    const { model, requests } = await talkingServer(fenced('Write', write))
    const words = ['run', '-m', modelOf(model), '--mode', 'acceptEdits', 'Write it']
    const { code, errors } = await start(folderOf(), ...words)
    expect(code).toBe(1)
    expect(errors).toContain('malformed: This call was not run')
    expect(requests.filter(({ path }) => path.endsWith('/completions')).length).toBe(3)
  })

  test('the user is asked', async () => {
    const { model } = await talkingServer(fenced('Write', write), 'Done.')
    const cwd = folderOf()
    const { code, errors } = await startCommand(
      ['run', '-m', modelOf(model), '--mode', 'acceptEdits', 'Write it'],
      { cwd, env: { HOME: folderOf(), NO_COLOR: '1' }, answer: 'y' },
    )
    expect(errors).toContain("it was not written in the model's protocol")
    expect(code).toBe(0)
    expect(existsSync(join(cwd, 'new.txt'))).toBe(true)
  })
})

describe('a call without marks as the whole reply', () => {
  const touch = { command: 'touch made' }
  const bare = JSON.stringify({ name: 'Bash', arguments: touch })
  const allowed = ['--allow', 'Bash(touch *)'] as const

  test.each([
    ['as bare JSON', bare],
    ['in a code fence', `\`\`\`json\n${bare}\n\`\`\``],
  ])('%s is refused, shown in the right format, and then runs', async (how, reply) => {
    const { model, messages } = await talkingServer(reply, calling('Bash', touch), 'Done.')
    const cwd = folderOf()
    const words = ['run', '-m', model.replace('qwen3:8b', 'gemma3:4b'), ...allowed, 'Make it']
    const { code, errors } = await start(cwd, ...words)
    expect(errors).toContain(
      `! read a call of Bash that was written ${how}, not in the hermes format\n`,
    )
    const shown = messages(1).at(-1)!.content
    expect(shown).toContain('To call Bash, write it in the hermes format, like this:')
    expect(shown).not.toContain('nobody to ask')
    expect(errors).not.toContain('--allow')
    expect(code).toBe(0)
    expect(existsSync(join(cwd, 'made'))).toBe(true)
  })

  test('the command fails if only another call of the tool was in the right format', async () => {
    const other = calling('Bash', { command: 'touch other' })
    const { model } = await talkingServer(bare, other, 'Done.')
    const cwd = folderOf()
    const { code, errors } = await start(cwd, 'run', '-m', model, ...allowed, 'Make it')
    expect(existsSync(join(cwd, 'other'))).toBe(true)
    expect(errors).toContain('denied: a call was not written in the format')
    expect(code).toBe(1)
  })

  test('gives no advice if no rule allows the call', async () => {
    const { model, messages } = await talkingServer(bare, 'I cannot do it.')
    const { code, errors } = await start(folderOf(), 'run', '-m', model, 'Make it')
    expect(messages(1).at(-1)!.content).not.toContain('To call Bash')
    expect(errors).toContain('Allow it with --allow RULE')
    expect(code).toBe(1)
  })
})

describe('Llama 3 writes calls without marks', () => {
  const touch = '{"name": "Bash", "parameters": {"command": "touch made"}}'

  test('refuses a call after text, but runs it when it is the whole reply', async () => {
    const { model, messages } = await talkingServer(`I will do that: ${touch}`, touch, 'Done.')
    const cwd = folderOf()
    const name = model.replace('qwen3:8b', 'llama3.2:3b')
    const words = ['run', '-m', name, '--allow', 'Bash(touch *)', 'Make it']
    const { code, errors } = await start(cwd, ...words)
    expect(errors).toContain(
      '! read a call of Bash that was written after text, not as the whole reply\n',
    )
    expect(errors.match(/! read a call/g)).toHaveLength(1)
    expect(messages(1).at(-1)!.content).toContain(
      `To call Bash, write only the call, with nothing before or after it, in the llama3-json format, like this:\n\n${touch}`,
    )
    expect(code).toBe(0)
    expect(existsSync(join(cwd, 'made'))).toBe(true)
  })
})
