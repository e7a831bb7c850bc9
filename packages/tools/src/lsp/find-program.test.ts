import { chmodSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { folderOf } from '../../../../tests/helpers/folder.ts'
import { type ServerDefinition, servers } from './servers.ts'
import { findServerProgram, safePath } from './find-program.ts'

function folders(): {
  root: string
  outside: string
  add: (file: string, text?: string) => string
} {
  const folder = folderOf()
  const add = (name: string, text = '#!/bin/sh\n'): string => {
    const file = join(folder, name)
    mkdirSync(join(file, '..'), { recursive: true })
    writeFileSync(file, text)
    chmodSync(file, 0o755)
    return file
  }
  for (const name of ['root', 'outside']) mkdirSync(join(folder, name))
  return { root: join(folder, 'root'), outside: join(folder, 'outside'), add }
}

const server: ServerDefinition = {
  name: 'one',
  command: ['one', '--stdio'],
  languages: { '.one': 'one' },
  install: 'no way',
}

test('finds a program on the PATH, but not in the workspace, not even through a link', () => {
  const { root, outside, add } = folders()
  const inside = add('root/bin/one')
  const options = { path: `${root}/bin:${outside}:bin`, roots: [root], trusted: false }
  symlinkSync(inside, join(outside, 'one'))
  expect(findServerProgram(server, options)).toEqual({
    problem: `${inside} is in the workspace, which is not trusted; ${outside}/one is in the workspace, which is not trusted`,
  })
  expect(findServerProgram(server, { ...options, trusted: true })).toMatchObject({
    program: inside,
  })
  expect(safePath(options)).toBe(outside)

  rmSync(join(outside, 'one'))
  const good = add('outside/one')
  expect(findServerProgram(server, options)).toEqual({ program: good, args: ['--stdio'] })
  expect(findServerProgram({ ...server, command: [inside] }, options)).toHaveProperty('problem')
  expect(findServerProgram({ ...server, command: ['./bin/one'] }, options)).toHaveProperty(
    'problem',
  )
})

test('skips an older TypeScript in favor of the one installed with us', () => {
  const { root, outside, add } = folders()
  const [typescript] = servers
  const tsc = add('typescript/bin/tsc')
  add('typescript/package.json', '{ "name": "typescript", "version": "5.9.3" }')
  symlinkSync(tsc, join(outside, 'tsc'))
  const options = { path: outside, roots: [root], trusted: false }
  expect(findServerProgram(typescript!, options)).toMatchObject({
    program: process.execPath,
    args: [expect.stringContaining('typescript/bin/tsc'), '--lsp', '--stdio'],
  })
  expect(
    findServerProgram(
      { ...typescript!, command: ['tsc', '--lsp'], package: { name: 'typescript', since: 99 } },
      options,
    ),
  ).toEqual({
    problem: `${outside}/tsc is typescript 5.9.3; version 99 or later is required`,
  })
  add('typescript/package.json', '{ "name": "typescript", "version": "7.1.0" }')
  expect(findServerProgram(typescript!, options)).toMatchObject({ program: join(outside, 'tsc') })
})

test('every known server has languages, install instructions and a unique name', () => {
  const names = servers.map(({ name }) => name)
  expect(new Set(names).size).toBe(names.length)
  for (const { command, languages, install } of servers) {
    expect(command.length).toBeGreaterThan(0)
    expect(Object.keys(languages).length).toBeGreaterThan(0)
    expect(install).not.toBe('')
    for (const ending of Object.keys(languages))
      if (ending.startsWith('.')) expect(ending).toBe(ending.toLowerCase())
  }
})
