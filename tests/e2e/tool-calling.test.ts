import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openPage } from './harness.ts'
import { allow, bubble, card, conversation, ended, send } from './page.ts'
import { call } from './scripted-model.ts'
import { word } from './word.ts'
import { longTest } from '../helpers/size.ts'

const files = { 'package.json': '{"name":"demo","version":"1.2.3"}\n', 'notes.txt': 'Ship it.\n' }

test('1. Tool call detection and UI display', async () => {
  const { page } = await openPage({
    files,
    script: (_, turn) =>
      turn === 0
        ? `Let me look.\n${call('Read', { file_path: 'package.json' })}`
        : 'It is **1.2.3**.',
  })
  await send(page, 'What version is in package.json?')
  await ended(page)
  const talk = conversation(page)
  await talk.getByText('Let me look.').waitFor()
  // The call has its own bubble, with its tool and its outcome as text.
  const read = bubble(page, /Read package\.json/)
  await read.waitFor()
  expect(await read.getAttribute('aria-expanded')).toBe('false')
  await read.click()
  await talk
    .getByRole('region', { name: word('chat.result') })
    .getByText('"version":"1.2.3"')
    .waitFor()
  // The text after it is Markdown.
  expect(await talk.locator('strong').innerText()).toBe('1.2.3')
})

longTest('2. Tool execution API (/api/tools/execute)', async () => {
  const { page, server } = await openPage({
    files,
    settings: { permissions: { allow: ['Bash(cat package.json)'] } },
  })
  const execute = (command: string): Promise<{ status: number; body: Record<string, unknown> }> =>
    page.evaluate(async (line) => {
      const response = await fetch('/api/tools/execute', {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-toolglot': '1' },
        body: JSON.stringify({ tool_name: 'bash', arguments: { command: line } }),
      })
      return { status: response.status, body: (await response.json()) as Record<string, unknown> }
    }, command)
  expect(await execute('cat package.json')).toEqual({
    status: 200,
    body: { success: true, result: files['package.json'].trim(), exit_code: 0 },
  })
  // A pending call is a card on every view of this page, and runs once it is allowed.
  const asked = await execute('echo approved > by-page.txt')
  expect(asked).toMatchObject({ status: 202, body: { success: false, exit_code: null } })
  const { id } = asked.body['approval'] as { readonly id: string }
  await page
    .getByRole('button', { name: word('shell.review'), exact: true })
    .first()
    .click()
  const asking = card(page, 'bash')
  await asking.getByText('echo approved > by-page.txt').first().waitFor()
  await allow(asking)
  // The page's answer may arrive after the request for the call's outcome.
  await expect
    .poll(async () => (await server.ask(`/api/tools/executions/${id}?wait=20`)).json(), {
      timeout: 20_000,
    })
    .toMatchObject({ success: true, exit_code: 0 })
  expect(readFileSync(join(server.folder, 'by-page.txt'), 'utf8')).toBe('approved\n')
})

longTest('3. Tool parsing for different formats', async () => {
  const formats = {
    mistral: '[TOOL_CALLS]Read[ARGS]{"file_path": "notes.txt"}',
    llama3: '<function=Read>{"file_path": "notes.txt"}</function>',
    hermes: '<tool_call>\n{"name": "Read", "arguments": {"file_path": "notes.txt"}}\n</tool_call>',
  }
  const { page } = await openPage({
    files,
    script: (messages, turn) => {
      const [, protocol = ''] = /as (\w+)/.exec(messages.at(-1)!.content) ?? []
      return turn === 0 ? formats[protocol as keyof typeof formats] : 'The notes say: ship it.'
    },
  })
  for (const protocol of Object.keys(formats)) {
    await page
      .getByRole('link', { name: word('shell.newChat') })
      .first()
      .click()
    await page.getByRole('button', { name: new RegExp(`^${word('compose.protocol')}:`) }).click()
    await page.getByRole('combobox').fill(protocol)
    await page
      .getByRole('option', { name: new RegExp(`^${protocol}\\b`) })
      .first()
      .click()
    await send(page, `Read the notes as ${protocol}`)
    await ended(page)
    const talk = conversation(page)
    await bubble(page, /Read notes\.txt/).click()
    await talk
      .getByRole('region', { name: word('chat.result') })
      .getByText('Ship it.')
      .waitFor()
    expect(await talk.innerText()).not.toMatch(/TOOL_CALLS|<function|<tool_call/)
  }
})

longTest('4. Agentic loop with multiple iterations', async () => {
  const commands = ['echo one', 'echo two', 'echo three']
  const { page, model } = await openPage({
    settings: { permissions: { allow: ['Bash(echo *)'] } },
    script: (_, turn) =>
      turn < commands.length
        ? `Step ${turn + 1}.\n${call('Bash', { command: commands[turn] })}`
        : 'All three have run.',
  })
  await send(page, 'Run them.')
  await ended(page)
  const talk = conversation(page)
  for (const [at, command] of commands.entries()) {
    await talk.getByText(`Step ${at + 1}.`).waitFor()
    await bubble(page, new RegExp(`Bash ${command}.*exit 0`)).waitFor()
  }
  await talk.getByText('All three have run.').waitFor()
  // Each result was sent back before the next call.
  expect(model.requests).toHaveLength(4)
  for (const [at, word] of ['one', 'two', 'three'].entries())
    expect(model.requests[at + 1]!.at(-1)!.content).toContain(word)
})

longTest('5. MAX_TOOL_ITERATIONS safety limit', async () => {
  let isFree = false
  const { page, model } = await openPage({
    settings: { limits: { maxIterations: 5 }, permissions: { allow: ['Bash(echo *)'] } },
    script: (messages, turn) => {
      const mayCall = messages.some(({ content }) => content.includes('<tools>'))
      if (isFree || !mayCall) return 'That is all.'
      return call('Bash', { command: `echo ${turn}` })
    },
  })
  await send(page, 'Never stop.')
  const toast = page.getByRole('region', { name: /^Notifications/ }).getByRole('listitem')
  await toast.getByText(word('compose.status.max_iterations', { count: 5 })).waitFor()
  // Five turns with tools, and another one for an answer without them.
  expect(model.requests).toHaveLength(6)
  isFree = true
  await toast
    .getByRole('button', { name: word('compose.status.continue.turns', { count: 5 }) })
    .click()
  await expect.poll(() => model.requests.length, { timeout: 60_000 }).toBe(7)
  await ended(page)
  expect(await conversation(page).getByText('That is all.').count()).toBeGreaterThan(0)
})

longTest('6. Tool call marker stripping', async () => {
  let release = (): void => {}
  const held = new Promise<void>((resolve) => (release = resolve))
  const { page } = await openPage({
    files,
    async *script(_, turn) {
      if (turn > 0) {
        yield 'Read.'
        return
      }
      yield 'Before. '
      yield '<tool_call>\n{"name": "Read", "arguments": {"file_path": "no'
      await held
      yield 'tes.txt"}}\n</tool_call>'
    },
  })
  await send(page, 'Read the notes.')
  const talk = conversation(page)
  // While the model is writing the call, a pending state is shown instead of its tags.
  await talk.getByText('Before.').waitFor()
  await talk.getByText('Read', { exact: true }).waitFor()
  expect(await talk.innerText()).not.toContain('tool_call')
  release()
  await ended(page)
  const text = await talk.innerText()
  expect(text).toContain('Before.')
  expect(text).not.toMatch(/tool_call|"name"|"arguments"/)
})

longTest('7. Error handling for failed commands', async () => {
  const { page, model } = await openPage({
    settings: { permissions: { allow: ['Bash(cat missing.txt)'], deny: ['Bash(rm *)'] } },
    script: (_, turn) =>
      [
        call('Bash', { command: 'cat missing.txt' }),
        call('Bash', { command: 'rm -rf everything' }),
        call('Nothing', { at: 'all' }),
        'None of it worked.',
      ][turn]!,
  })
  await send(page, 'Try.')
  await ended(page)
  const talk = conversation(page)
  // Failed calls are open: the error is visible as text.
  await bubble(page, /Bash cat missing\.txt.*exit 1/).waitFor()
  await talk.getByText('No such file or directory').waitFor()
  await bubble(page, /Bash rm -rf everything.*denied/i).waitFor()
  await bubble(page, /Nothing/).waitFor()
  await talk.getByText('None of it worked.').waitFor()
  // The model also gets the errors.
  expect(model.requests[1]!.at(-1)!.content).toContain('No such file or directory')
})

longTest('8. Tool arguments display in UI', async () => {
  const args = { file_path: 'src/hello.ts', content: 'export const hello = "<b>hi</b>"\n' }
  const { page, server } = await openPage({
    script: (_, turn) => (turn === 0 ? call('Write', args) : 'Written.'),
  })
  await send(page, 'Write it.')
  // Before anything runs, the card shows the file and its new content.
  const asking = card(page, 'Write')
  await asking.getByText('src/hello.ts').first().waitFor()
  await asking.getByText('export const hello = "<b>hi</b>"').first().waitFor()
  await allow(asking)
  await ended(page)
  expect(readFileSync(join(server.folder, 'src/hello.ts'), 'utf8')).toBe(args.content)
  const talk = conversation(page)
  await bubble(page, /Write src\/hello\.ts/).click()
  await talk.getByRole('button', { name: word('chat.arguments'), expanded: false }).click()
  const shown = await talk.getByRole('region', { name: word('chat.arguments') }).innerText()
  expect(JSON.parse(shown)).toEqual(args)
})
