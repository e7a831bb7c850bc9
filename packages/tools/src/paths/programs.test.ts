import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { machine } from '../../test/machine.ts'
import { findProgramOnPath, isInAny } from './programs.ts'

test('does not find a program through a link in the workspace, wherever it leads', async () => {
  const { root } = await machine()
  const [work, other] = [join(root, 'work'), join(root, 'other')]
  for (const folder of [join(work, '.venv'), other]) mkdirSync(folder, { recursive: true })
  writeFileSync(join(other, 'git'), '#!/bin/sh\n')
  chmodSync(join(other, 'git'), 0o755)
  symlinkSync(other, join(work, '.venv/bin'))
  symlinkSync(work, join(root, 'alias'))
  symlinkSync('alias/.venv/bin', join(root, 'current'))
  for (const path of ['work/.venv/bin', 'alias/.venv/bin', 'current', 'other/../current'])
    expect(findProgramOnPath('git', `${root}/${path}`, [work])).toBeUndefined()
  expect(findProgramOnPath('git', other, [work])).toBe(join(other, 'git'))
  symlinkSync('loop', join(root, 'loop'))
  expect(isInAny(join(root, 'loop'), [work])).toBe(false)
})
