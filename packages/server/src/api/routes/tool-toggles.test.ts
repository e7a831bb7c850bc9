import { describe, expect, test } from 'vitest'
import { apiClient } from '../../../test/api-client.ts'
import { obedient } from '../../../test/obedient-model.ts'
import { runClient } from '../../../test/run-client.ts'
import { executeTool } from './execute.ts'
import { previewPrompt } from './protocols.ts'
import { resumeRun } from './runs/control.ts'
import { changeSetting, listSettings } from './settings.ts'
import { listTools } from './tools.ts'

const turnOff = (...names: string[]) => ({
  body: { key: 'toolToggles', value: Object.fromEntries(names.map((name) => [name, false])) },
})

/** The system prompt of a request. */
function promptOf(messages: readonly { readonly content: string }[] = []): string {
  return messages[0]?.content ?? ''
}

describe('GET /api/tools', () => {
  test('lists a disabled tool with the setting that turns it off', async () => {
    const { call, home } = await apiClient({ settings: { toolToggles: { read_file: false } } })
    const { tools } = await call(listTools)
    expect(tools.find(({ name }) => name === 'Read')).toMatchObject({
      enabled: false,
      disabledBy: {
        key: 'toolToggles',
        name: 'read_file',
        scope: 'user',
        file: `${home}/.config/toolglot/settings.json`,
      },
    })
    expect(tools.find(({ name }) => name === 'Bash')).toMatchObject({ enabled: true })
  })

  test('an untrusted folder can turn tools off, but not on', async () => {
    const client = await apiClient({
      settings: { defaultToolEnabled: false, toolToggles: { Grep: true } },
      project: { toolToggles: { Bash: true, Grep: false } },
    })
    const on = async () =>
      (await client.call(listTools)).tools.flatMap(({ name, enabled }) => (enabled ? [name] : []))
    expect(await on()).toEqual([])
    const { values } = await client.call(listSettings)
    expect(values.filter(({ scope }) => scope === 'project')).toMatchObject([
      { key: 'toolToggles', value: { Grep: false }, counts: true },
      { key: 'toolToggles', value: { Bash: true }, counts: false },
    ])
    await client.trust()
    expect(await on()).toEqual(['Bash', 'BashOutput', 'BashInput', 'KillShell'])
  })

  test('warns about an unknown name', async () => {
    const { call } = await apiClient({ settings: { toolToggles: { Baash: false } } })
    expect((await call(listTools)).warnings).toEqual([
      expect.stringContaining("unknown tool 'Baash'. Did you mean Bash?"),
    ])
  })
})

test('PUT /api/settings turns a tool off immediately and permanently', async () => {
  const client = await apiClient({ files: { 'a.txt': 'x' } })
  const read = { body: { tool_name: 'read_file', arguments: { path: 'a.txt' } } }
  expect(await client.call(executeTool, read)).toMatchObject({ success: true })
  await client.call(changeSetting, turnOff('Read'))
  expect(await client.problem(executeTool, read)).toMatchObject({
    status: 403,
    code: 'tool_disabled',
    detail: expect.stringMatching(/^Read is turned off by toolToggles in .*settings\.json:\d+\.$/),
    success: false,
    exit_code: null,
  })
  await client.close()
  const again = await apiClient({ again: client })
  expect(await again.problem(executeTool, read)).toMatchObject({ code: 'tool_disabled' })
  await again.call(changeSetting, { body: { key: 'toolToggles', value: null } })
  expect(await again.call(executeTool, read)).toMatchObject({ success: true })
})

test('refuses an invalid toggle without changing settings', async () => {
  const { problem, call } = await apiClient()
  for (const value of [{ Bash: 'no' }, 'Bash', [], 7])
    expect(await problem(changeSetting, { body: { key: 'toolToggles', value } })).toMatchObject({
      detail: expect.stringContaining('Cannot change toolToggles'),
    })
  expect((await call(listTools)).tools.every(({ enabled }) => enabled)).toBe(true)
})

test('the prompt describes the enabled tools, and any tool by name', async () => {
  const { call } = await apiClient({ settings: { toolToggles: { Bash: false } } })
  const input = { parameters: { id: 'hermes' } }
  const { tools, prompt } = await call(previewPrompt, { ...input, body: {} })
  expect(tools).toContain('Read')
  expect(tools).not.toContain('Bash')
  expect(prompt).not.toContain('"Bash"')
  const one = await call(previewPrompt, { ...input, body: { names: ['Bash'] } })
  expect(one.tools).toEqual(['Bash'])
})

test('does not offer a disabled tool to a run, and refuses calls of it', async () => {
  const client = await runClient(obedient, {
    settings: { toolToggles: { Bash: false } },
  })
  const { run } = await client.start('DO Bash {"command":"ls"}')
  const events = await client.ended(run)
  expect(promptOf(client.model.requests[0])).not.toContain('"Bash"')
  expect(JSON.stringify(events)).toContain('Unknown tool')
})

test('the next message of a chat uses the current tools, and reports the change', async () => {
  const client = await runClient(obedient, { settings: { permissions: { allow: ['Bash(ls)'] } } })
  const { run } = await client.start('DO Bash {"command":"ls"}')
  await client.ended(run)
  expect(promptOf(client.model.requests[0])).toContain('"Bash"')
  await client.call(changeSetting, turnOff('Bash'))
  const next = { parameters: { run }, body: { prompt: 'Go on.' } }
  expect(await client.problem(resumeRun, next)).toMatchObject({ code: 'run_changed' })
  await client.call(resumeRun, { ...next, body: { ...next.body, acceptChanges: true } })
  await client.ended(run)
  expect(promptOf(client.model.requests.at(-1))).not.toContain('"Bash"')
})
