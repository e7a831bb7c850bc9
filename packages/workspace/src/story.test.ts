// Start here: a program that uses a folder as a workspace. The model is the built-in demo script;
// the rest is real.
import { collect, run } from '@toolglot/agent'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { folderOf } from '../../../tests/helpers/folder.ts'
import {
  chooseWorkspaceModel,
  openWorkspace,
  prepareRun,
  trustFolder,
  type Workspace,
} from './index.ts'

/** Runs a prompt in a workspace, like a command would. */
async function ask(workspace: Workspace, prompt: string) {
  const { close, tools, permissions, fileSystem, journal } = await prepareRun(workspace)
  onTestFinished(close)
  const { model, protocol } = await chooseWorkspaceModel(workspace)
  const options = { model, tools, permissions, fileSystem, journal, prompt }
  const result = await collect(run({ ...options, ...(protocol && { protocol }) }))
  return { ...result, journal }
}

test('I open a folder, and a model works in it with tools', async () => {
  const workspace = await openWorkspace(folderOf({ 'package.json': '{"version": "1.0.7"}' }), {
    env: { HOME: folderOf(), TOOLGLOT_MODEL: 'script' },
  })
  const { text, calls, journal } = await ask(workspace, 'What version is it?')
  expect(text).toContain('1.0.7')
  expect(calls).toMatchObject([{ name: 'Read', outcome: { status: 'success' } }])
  expect(await journal.runs()).toMatchObject([{ prompt: 'What version is it?' }])
})

test('It changes only what my settings or options allow', async () => {
  const env = { HOME: folderOf(), TOOLGLOT_MODEL: 'script' }
  const cwd = folderOf()
  const prompt = 'Create hello.txt and edit it'
  const closed = await openWorkspace(cwd, { env, interactive: false })
  await ask(closed, prompt)
  expect(() => readFileSync(join(cwd, 'hello.txt'))).toThrow()
  const open = await openWorkspace(cwd, { env, interactive: false, allow: ['Edit(**)'] })
  await ask(open, prompt)
  expect(readFileSync(join(cwd, 'hello.txt'), 'utf8')).not.toBe('')
})

test('Settings that come with a repository allow nothing until I trust its folder', async () => {
  const env = { HOME: folderOf(), TOOLGLOT_MODEL: 'script' }
  const settings = { permissions: { allow: ['Bash(make:*)'], deny: ['Read(.env)'] } }
  const cwd = folderOf({ '.toolglot/settings.json': settings })
  const before = await openWorkspace(cwd, { env })
  expect(before.trust).not.toBe('trusted')
  expect(before.warnings.join()).toContain('are not trusted')
  const verdicts = async (workspace: Workspace) =>
    (await workspace.permissions()).rules.map(({ verdict }) => verdict)
  expect(await verdicts(before)).not.toContain('allow')
  expect(await verdicts(before)).toContain('deny')
  trustFolder(before, before)
  const after = await openWorkspace(cwd, { env })
  expect(await verdicts(after)).toContain('allow')
})

test('A mistake in my settings is reported with its place, and allows nothing', async () => {
  const HOME = folderOf({ '.config/toolglot/settings.json': '{"permissions": {"alow": []}}' })
  const { warnings } = await openWorkspace(folderOf(), { env: { HOME } })
  expect(warnings.join()).toMatch(/settings\.json:1: unknown setting "alow"/)
})
