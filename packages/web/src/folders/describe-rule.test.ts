import { expect, test } from 'vitest'
import { describeRule } from './review-rows.ts'

test.each([
  ['Bash', 'folders.rule.runAll', '', 'Bash'],
  ['Bash(*)', 'folders.rule.runAll', '', 'Bash'],
  ['Bash(npm test)', 'folders.rule.run', 'npm test', 'Bash'],
  ['bash(npm run:*)', 'folders.rule.runStart', 'npm run', 'bash'],
  ['Bash(git *)', 'folders.rule.runStart', 'git', 'Bash'],
  ['Bash(echo (a) (b))', 'folders.rule.run', 'echo (a) (b)', 'Bash'],
  ['Bash(a\nb:*)', 'folders.rule.runStart', 'a\nb', 'Bash'],
  ['Read', 'folders.rule.readAll', '', 'Read'],
  ['Read(~/notes/**)', 'folders.rule.read', '~/notes/**', 'Read'],
  ['Edit(src/*.ts)', 'folders.rule.write', 'src/*.ts', 'Edit'],
  ['WebFetch(domain:go.dev)', 'folders.rule.fetch', 'go.dev', 'WebFetch'],
  ['WebFetch', 'folders.rule.fetchAll', '', 'WebFetch'],
  ['mcp__notes', 'folders.rule.server', 'notes', '*'],
  ['mcp__notes__*', 'folders.rule.server', 'notes', '*'],
  ['mcp__notes__list', 'folders.rule.serverTool', 'notes', 'list'],
  ['Grep', 'folders.rule.tool', '', 'Grep'],
  ['Grep(vendor/**)', 'folders.rule.toolFor', 'vendor/**', 'Grep'],
  ['(', 'folders.rule.tool', '', '('],
])('%j', (rule, key, what, tool) => {
  expect(describeRule(rule)).toMatchObject({ key, what, tool })
})

test.each([
  ['Write(**)', 'folders.rule.writeHere'],
  ['Edit(./**)', 'folders.rule.writeHere'],
  ['Read(**/*)', 'folders.rule.readHere'],
  ['Read(//**)', 'folders.rule.readAll'],
  ['Edit', 'folders.rule.writeAll'],
  ['Bash', 'folders.rule.runAll'],
  ['Bash(*)', 'folders.rule.runAll'],
  ['Bash(:*)', 'folders.rule.runAll'],
  ['WebFetch(domain:*)', 'folders.rule.fetchAll'],
  ['mcp__notes', 'folders.rule.server'],
])('%j is broad', (rule, key) => {
  expect(describeRule(rule)).toMatchObject({ key, isBroad: true })
})

test.each([
  'Bash(npm test)',
  'Bash(git:*)',
  'Write(src/**)',
  'mcp__notes__list',
  'Read(~/notes/**)',
])('%j is not broad', (rule) => {
  expect(describeRule(rule)).not.toHaveProperty('isBroad')
})
