// For packages/cli/src/commands/other-dialects.test.ts. Passes once core's createParser sets otherProtocol.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { folderWith } from '../../test/folder.ts'
import { type CommandResult, startCommand } from '../../test/start-command.ts'
import { calling, talkingServer } from '../../test/talking-server.ts'

const fenced = (name: string, args: object): string =>
  `Sure.\n\`\`\`json\n${JSON.stringify({ name, arguments: args })}\n\`\`\``
const write = { file_path: 'new.txt', content: 'hello\n' }

function start(cwd: string, ...words: string[]): Promise<CommandResult> {
  return startCommand(words, { cwd, env: { HOME: folderWith(), NO_COLOR: '1' } })
}

describe.each(['qwen3:8b', 'odd'])('%s writes calls in a code fence', (name) => {
  const modelOf = (model: string): string => model.replace('qwen3:8b', name)

  test('a read-only one runs, and the screen says how it was written', async () => {
    const reply = fenced('Read', { file_path: 'a.txt' })
    const { model, messages } = await talkingServer(reply, 'It says hi.')
    const cwd = folderWith({ 'a.txt': 'hi there\n' })
    const { code, output, errors } = await start(cwd, 'run', '-m', modelOf(model), 'Read a.txt')
    expect({ code, output }).toEqual({ code: 0, output: 'It says hi.\n' })
    expect(errors).toContain(
      '! read a call of Read that was written in a code fence, not in the hermes format\n',
    )
    expect(messages(1).at(-1)!.content).toContain('hi there')
  })

  test('another one is refused, the model is shown how to write it, and then it runs', async () => {
    const { model, messages } = await talkingServer(
      fenced('Write', write),
      calling('Write', write),
      'Done.',
    )
    const cwd = folderWith()
    const words = ['run', '-m', modelOf(model), '--mode', 'acceptEdits', 'Write it']
    const { code, output, errors } = await start(cwd, ...words)
    expect(messages(1).at(-1)!.content).toContain(
      'To call Write, write it in the hermes format, like this:\n\n<tool_call>',
    )
    expect(errors).toContain('This call was not run')
    expect({ code, output }).toEqual({ code: 0, output: 'Done.\n' })
    expect(existsSync(join(cwd, 'new.txt'))).toBe(true)
  })

  test('if the model gives up, the command fails', async () => {
    const { model } = await talkingServer(fenced('Write', write), 'I cannot do it.')
    const cwd = folderWith()
    const words = ['run', '-m', modelOf(model), '--mode', 'acceptEdits', 'Write it']
    const { code, output, errors } = await start(cwd, ...words)
    expect({ code, output }).toEqual({ code: 1, output: 'I cannot do it.\n' })
    expect(errors).toContain('denied: a call was not written in the format')
    expect(existsSync(join(cwd, 'new.txt'))).toBe(false)
  })

  test('a model that goes on like this is stopped', async () => {
    const { model, requests } = await talkingServer(fenced('Write', write))
    const words = ['run', '-m', modelOf(model), '--mode', 'acceptEdits', 'Write it']
    const { code, errors } = await start(folderWith(), ...words)
    expect(code).toBe(1)
    expect(errors).toContain('malformed: This call was not run')
    expect(requests.filter(({ path }) => path.endsWith('/completions')).length).toBe(3)
  })

  test('a person is asked', async () => {
    const { model } = await talkingServer(fenced('Write', write), 'Done.')
    const cwd = folderWith()
    const { code, errors } = await startCommand(
      ['run', '-m', modelOf(model), '--mode', 'acceptEdits', 'Write it'],
      { cwd, env: { HOME: folderWith(), NO_COLOR: '1' }, answer: 'y' },
    )
    expect(errors).toContain("it was not written in the model's protocol")
    expect(code).toBe(0)
    expect(existsSync(join(cwd, 'new.txt'))).toBe(true)
  })
})
