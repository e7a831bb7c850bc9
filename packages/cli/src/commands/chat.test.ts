import { randomInt } from 'node:crypto'
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { folderOf } from '../../../../tests/helpers/folder.ts'
import { openTerminal, type PseudoTerminal } from '../../test/pseudo-terminal.ts'
import { stillRuns } from '../../test/still-runs.ts'
import { startCommand } from '../../test/start-command.ts'
import { calling, saying, talkingServer } from '../../test/talking-server.ts'
import { lacks } from '../../../../tests/helpers/abilities.ts'
import { longTest } from '../../../../tests/helpers/size.ts'
import { until } from '../../../../tests/helpers/until.ts'

const PIXEL =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

describe('piped input', () => {
  const start = async (
    input: string,
    words: string[] = ['-m', 'script'],
  ): ReturnType<typeof startCommand> =>
    startCommand(['chat', ...words], {
      input,
      cwd: folderOf({ 'package.json': '{"version": "4.5.6"}', 'b.md': 'one\ntwo\n' }),
      env: { HOME: folderOf() },
    })

  test('contains a prompt of the same run on each line', async () => {
    const server = await talkingServer('Hello.', 'Goodbye.')
    const { code, output, errors } = await start('Hi.\n\nBye.\n', ['-m', server.model])
    expect({ code, output }).toEqual({ code: 0, output: 'Hello.\nGoodbye.\n' })
    expect(
      server
        .messages(1)
        .slice(1)
        .map(({ content }) => content),
    ).toEqual(['Hi.', 'Hello.', 'Bye.'])
    expect(errors).toMatch(/To resume: toolglot chat --resume run-\w+ --model \S+\n$/)
    expect(errors).toContain(`--model ${server.model}`)
  })

  longTest(
    'refuses an image at once if the model cannot read images, and continues the chat',
    async () => {
      const server = await talkingServer('Hello.')
      const cwd = folderOf({})
      writeFileSync(join(cwd, 'pixel.png'), Buffer.from(PIXEL, 'base64'))
      const { code, output, errors } = await startCommand(['chat', '-m', server.model], {
        input: 'Look at @pixel.png\nHi.\n',
        cwd,
        env: { HOME: folderOf() },
      })
      expect({ code, output }).toEqual({ code: 1, output: 'Hello.\n' })
      expect(errors).toMatch(/error: pixel\.png is an image, and \S+ does not accept images/)
      expect(server.messages(0).slice(1)).toEqual([{ role: 'user', content: 'Hi.' }])
    },
  )

  test('continues a prompt after a backslash', async () => {
    const server = await talkingServer('Hello.')
    await start('one\\\ntwo\n', ['-m', server.model])
    expect(server.messages(0).at(-1)!.content).toBe('one\ntwo')
  })

  test('can contain slash commands', async () => {
    const { output, errors } = await start(
      '/help\n/hepl\n/nonsense\n/tools\n/permissions\n/protocol llama3\n/protocol nix\n/todos\n/undo\n/resume\nWhat version is it?\n/exit\nnever\n',
    )
    expect(output).toBe('The version in package.json is 4.5.6.\n')
    expect(errors).toMatch(/^\/undo +undo the file changes/m)
    expect(errors).toContain("Unknown command: '/hepl'. Did you mean /help?")
    expect(errors).toContain("Unknown command: '/nonsense'. See /help.")
    expect(errors).toMatch(/^AskUserQuestion +Ask the user/m)
    expect(errors).toContain('Mode: default.')
    expect(errors).toContain('script is prompted to write calls in llama3.')
    expect(errors).toContain("error: Unknown protocol 'nix'")
    expect(errors).toContain('There are no todos.')
    expect(errors).toContain('Nothing to undo')
    expect(errors).toContain('There are no runs yet.')
  })

  longTest('does not warn about a protocol that the user chose', async () => {
    const { output, errors } = await start('What version is it?\n/protocol llama3\nFind *.json\n')
    expect(output).toMatch(/^The version in package\.json is 4\.5\.6\.\nGlob found:\n/)
    expect(errors).not.toContain('warning:')
  })

  longTest('the demo script repeats its answer to the same prompt', async () => {
    for (const protocol of ['hermes', 'native']) {
      const twice = await start('What version is it?\n'.repeat(2), ['-m', 'script', '-p', protocol])
      expect(twice.output).toBe('The version in package.json is 4.5.6.\n'.repeat(2))
    }
  })

  test('exits with 1 if a prompt gets no answer', async () => {
    expect(await start('Run node --version\n')).toMatchObject({ code: 1 })
  })

  longTest('the demo script introduces itself in the language of the prompt', async () => {
    expect((await start('hello\n')).output).toMatch(/^I'm a built-in demo script, not an AI/)
    expect((await start('xin chào, bạn là ai?\n')).output).toContain('không phải AI')
    expect((await start('你是谁\n')).output).toContain('不是人工智能')
  })
})

describe.skipIf(await lacks('script'))('at a terminal', () => {
  const ESCAPE = '\x1b'
  const CTRL_C = '\x03'
  const CTRL_D = '\x04'

  async function open(
    words: readonly string[],
    files: Readonly<Record<string, string>> = {},
    columns?: number,
  ): Promise<PseudoTerminal & { cwd: string; home: string }> {
    const cwd = folderOf(files)
    const home = folderOf()
    const terminal = openTerminal(['chat', ...words], {
      cwd,
      env: { HOME: home },
      ...(columns !== undefined && { columns }),
    })
    await terminal.until(/› [^]*·/)
    return { ...terminal, cwd, home }
  }

  longTest('shows the answer, with the tokens used below the prompt', async () => {
    const chat = await open(['-m', 'script'], { 'package.json': '{"version": "7.8.9"}' })
    chat.type('What version is it?\r')
    expect(await chat.until(/tokens/)).toMatch(
      /→ Read package\.json[^]*The version in package\.json is 7\.8\.9\.[^]*script · hermes · ~\d+ tokens/,
    )
    chat.type(CTRL_D)
    expect(await chat.ended).toBe(0)
    expect(chat.text()).toMatch(/To resume: toolglot chat --resume run-\w+/)
    const history = join(chat.home, '.local/state/toolglot/chat-history')
    expect(readFileSync(history, 'utf8')).toBe('"What version is it?"\n')
    expect(statSync(history).mode & 0o777).toBe(0o600)
  })

  test('asks for approval with a diff: no with a reason, then always', async () => {
    const edit = (from: string, to: string): string =>
      calling('Edit', { file_path: 'a.txt', old_string: from, new_string: to })
    const server = await talkingServer(
      calling('Read', { file_path: 'a.txt' }),
      edit('one', 'ONE'),
      edit('two', 'TWO'),
      edit('three', 'THREE'),
      'Done.',
    )
    const chat = await open(['-m', server.model], { 'a.txt': 'one\ntwo\nthree\n' })
    chat.type('Shout.\r')
    const first = await chat.until(/Run it\? .*stop/)
    expect(first).toMatch(/\? write a\.txt[^]*-one\s+\+ONE/)
    expect(first).toMatch(/always: Edit\(\/\/.*a\.txt\)[^]*Always: a in this run, u in all folders/)
    chat.type('n keep the first\r')
    const second = await chat.until(/\+TWO[^]*Run it\? .*stop/)
    expect(second).toContain('The user says: keep the first')
    chat.type('a\r')
    await chat.until(/Done\.[^]*tokens/)
    expect(readFileSync(join(chat.cwd, 'a.txt'), 'utf8')).toBe('one\nTWO\nTHREE\n')
    chat.type('/permissions\r')
    expect(await chat.until(/allow .*a\.txt/)).toContain('(this run)')
    chat.type('/undo\r')
    expect(await chat.until(/restored .*a\.txt/)).toBeTruthy()
    expect(readFileSync(join(chat.cwd, 'a.txt'), 'utf8')).toBe('one\ntwo\nthree\n')
    chat.type(CTRL_D)
    expect(await chat.ended).toBe(0)
  })

  longTest('accepts an answer from another terminal and closes the question', async () => {
    const write = (name: string): string => calling('Write', { file_path: name, content: 'x\n' })
    const server = await talkingServer(`${write('a.txt')}\n${write('b.txt')}`, 'Done.')
    const chat = await open(['-m', server.model])
    const env = { HOME: chat.home }
    chat.type('Go.\r')
    await chat.until(/→ Write a\.txt[^]*Run it\? .*stop/)
    await startCommand(['runs', 'answer', 'last', '1', 'allow'], { env })
    await chat.until(/→ Write b\.txt[^]*Run it\? .*stop/)
    await startCommand(['runs', 'answer', 'last', '2', 'deny'], { env })
    const shown = await chat.until(/Done\.[^]*tokens/)
    expect(shown).toMatch(/→ Write a\.txt\s+\(answered elsewhere: allowed\)[^]*Created a\.txt/)
    expect(shown).toMatch(/→ Write b\.txt\s+\(answered elsewhere: denied\)/)
    expect(existsSync(join(chat.cwd, 'b.txt'))).toBe(false)
    chat.type(CTRL_D)
    expect(await chat.ended).toBe(0)
  })

  longTest('answers a question with a number or free text', async () => {
    const chat = await open(['-m', 'script'])
    chat.type('Ask me a question\r')
    expect(await chat.until(/Your answer:/)).toMatch(/1 +Tea[^]*2 +Coffee[^]*3 +Other/)
    chat.type('9\r')
    await chat.until(/a number from 1 to 3[^]*Your answer:/)
    chat.type('2\r')
    expect(await chat.until(/tokens/)).toContain('→ Coffee')
    chat.type('Ask me a question\r')
    await chat.until(/Your answer:/)
    chat.type('3\r')
    await chat.until(/Your answer:/)
    chat.type('Water, please\r')
    expect(await chat.until(/tokens/)).toContain('→ Water, please')
    chat.type(CTRL_D)
    await chat.ended
  })

  longTest('Esc stops a tool and its child processes, and the run can be resumed', async () => {
    const chat = await open(['-m', 'script', '--allow', 'Bash(*)'])
    chat.type('Run echo began; sleep 300; echo ended\r')
    await chat.until(/│ began/)
    chat.type(ESCAPE)
    const stopped = await chat.until(/tokens/)
    expect(stopped).toContain('cancelled')
    expect(stopped).toContain('Type /resume to continue')
    chat.type('/resume\r')
    expect(await chat.until(/Bash returned:[^]*tokens/)).toContain('unknown whether Bash finished')
    chat.type(CTRL_D)
    await chat.ended
  })

  longTest('Ctrl-C stops a reply; pressed twice on an empty line, it leaves the chat', async () => {
    const server = await talkingServer((response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.write(
        `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content: 'Once upon' } }] })}\n\n`,
      )
    }, saying('Fine.'))
    const chat = await open(['-m', server.model])
    chat.type('Tell me.\r')
    await chat.until(/Once upon/)
    chat.type(CTRL_C)
    await chat.until(/cancelled[^]*›/)
    await server.closed()
    chat.type('Again.\r')
    await chat.until(/Fine\.[^]*tokens/)
    chat.type(CTRL_C)
    await chat.until(/Ctrl-C again or Ctrl-D to leave[^]*›/)
    chat.type(CTRL_C)
    expect(await chat.ended).toBe(0)
    expect(chat.raw()).toContain('\x1b[?2004l')
  })

  longTest(
    'sends several pasted lines, or lines separated by Alt-Enter, as one prompt',
    async () => {
      const server = await talkingServer('Ok.')
      const chat = await open(['-m', server.model])
      chat.type('\x1b[200~one\rtwo\r\nthree\x1b]0;x\x07\x1b[201~')
      await chat.until(/three/)
      expect(server.requests.length).toBe(0)
      chat.type('\r')
      await chat.until(/Ok\.[^]*tokens/)
      expect(server.messages(0).at(-1)!.content).toBe('one\ntwo\nthree]0;x')
      chat.type('four\x1b\rfive\\\rsix\r')
      await chat.until(/Ok\.[^]*tokens/)
      expect(server.messages(1).at(-1)!.content).toBe('four\nfive\nsix')
      chat.type(CTRL_D)
      await chat.ended
    },
  )

  longTest('--resume shows the conversation and continues it', async () => {
    const server = await talkingServer('Hello Ann.', 'You are Ann.')
    const cwd = folderOf()
    const env = { HOME: folderOf() }
    await startCommand(['run', '-m', server.model, 'I am Ann.'], { cwd, env })
    const chat = openTerminal(['chat', '-m', server.model, '--resume', 'last'], { cwd, env })
    expect(await chat.until(/tokens/)).toMatch(/› I am Ann\.[^]*Hello Ann\./)
    chat.type('Who am I?\r')
    await chat.until(/You are Ann\.[^]*tokens/)
    chat.type('/exit\r')
    expect(await chat.ended).toBe(0)
  })

  longTest('lays out wide characters correctly', async () => {
    const chat = await open(['-m', 'script'], {}, 30)
    chat.type('你好你好你好你好你好你好你好你好 Tiếng Việt')
    const drawn = await chat.until(/Việt/)
    // 27 columns: thirteen of these characters fit after the prompt.
    expect(drawn).toMatch(/› 你好你好你好你好你好你好你\s+好你好 Tiếng Việt/)
    chat.type(`${CTRL_C}${CTRL_D}`)
    expect(await chat.ended).toBe(0)
  })

  longTest('shows a long question above its answer', async () => {
    const chat = await open(['-m', 'script'], {}, 40)
    chat.type('Create hello.txt\r')
    expect(await chat.until(/stop\s+› /)).toMatch(/Run it\? yes, no/)
    chat.type('n')
    await chat.until(/› n/)
    chat.type('o\r')
    const drawn = await chat.until(/was not written[^]*tokens/)
    expect(drawn).not.toContain('Run it?')
    chat.type(CTRL_D)
    await chat.ended
  })

  longTest(
    'closing the terminal stops the chat and its processes; the chat can be resumed',
    async () => {
      const mark = `sleep 300.${randomInt(1e9)}`
      const files = { 'work.sh': `echo began; ${mark}\n` }
      const chat = await open(['-m', 'script', '--allow', 'Bash(sh work.sh)'], files)
      chat.type('Run sh work.sh\r')
      await chat.until(/│ began/)
      const pid = chat.pid()
      chat.hangUp()
      await until(() => !existsSync(`/proc/${pid}`))
      expect(stillRuns(mark)).toBe(false)
      const env = { HOME: chat.home }
      const { output } = await startCommand(['runs', '--json'], { env })
      expect(JSON.parse(output)).toMatchObject([{ state: 'finished', reason: 'cancelled' }])
    },
  )

  longTest('SIGTERM stops the chat and its processes', async () => {
    const mark = `sleep 300.${randomInt(1e9)}`
    const files = { 'work.sh': `echo began; ${mark}\n` }
    const chat = await open(['-m', 'script', '--allow', 'Bash(sh work.sh)'], files)
    chat.type('Run sh work.sh\r')
    await chat.until(/│ began/)
    process.kill(chat.pid(), 'SIGTERM')
    await chat.ended
    expect(chat.text()).toMatch(/To resume: toolglot chat --resume run-\w+/)
    expect(stillRuns(mark)).toBe(false)
  })
})
