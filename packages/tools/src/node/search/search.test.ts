import { chmodSync, existsSync, readFileSync, renameSync, rmSync, symlinkSync } from 'node:fs'
import { setTimeout } from 'node:timers/promises'
import { ToolError } from '@toolglot/agent'
import { describe, expect, test } from 'vitest'
import { contextOf, tree, fileSystemAt } from '../../../test/tree.ts'
import type { FoundLine } from '../../host/search.ts'
import { grepTool } from '../../tools/grep.ts'
import { findRipgrep } from './ripgrep.ts'
import { nodeSearch } from './search.ts'
import { until } from '../../../../../tests/helpers/until.ts'

const { signal } = new AbortController()

/** A replacement for ripgrep, to simulate a slow one. */
function program(script: string): string {
  const folder = tree({ rg: `#!/bin/sh\n${script}\n` })
  chmodSync(`${folder}/rg`, 0o755)
  return `${folder}/rg`
}

describe('finding ripgrep', () => {
  test('uses RG_PATH, if it can be trusted', async () => {
    const rg = program('exit 0')
    const at = (RG_PATH: string, roots: string[] = []) =>
      findRipgrep({ environment: { RG_PATH }, roots })
    expect(await at(rg)).toBe(rg)
    await expect(at('rg')).rejects.toThrow(/not an absolute path/)
    await expect(at(`${rg}-missing`)).rejects.toThrow(/is not a program/)
    await expect(at(rg, [rg.slice(0, -'/rg'.length)])).rejects.toThrow(/is in the workspace/)
    chmodSync(rg, 0o777)
    await expect(at(rg)).rejects.toThrow(/other users can write to/)
    chmodSync(rg, 0o644)
    const failure = await at(rg).catch((error: unknown) => error)
    expect(failure).toBeInstanceOf(ToolError)
    expect(failure).toMatchObject({ details: { code: 'no_ripgrep' } })
  })

  test('uses the one installed with this package', async () => {
    expect(await findRipgrep({ environment: {} })).toMatch(/@vscode\/ripgrep-.*\/bin\/rg$/)
  })
})

describe('a search that takes too long', () => {
  const slow = (pid: string) =>
    program(`echo $$ > ${pid}; printf './a\\0001\\n./b\\0002\\n'; exec /bin/sleep 600`)

  test('keeps the results, and is marked as timed out', async () => {
    const cwd = tree({ a: 'x\n', b: 'x\nx\n' })
    const search = nodeSearch({ environment: { RG_PATH: slow(`${cwd}/pid`) } })
    const tool = grepTool({ fileSystem: fileSystemAt(cwd), search }, { timeout: 500 })
    const result = await tool.execute({ pattern: 'x' }, contextOf())
    expect(result).toMatchObject({ files: ['a', 'b'], total_matches: 3, timed_out: true })
    expect(tool.show!(result, { pattern: 'x' })).toContain('timed out')
    expect(isRunning(`${cwd}/pid`)).toBe(false)
  })

  test('ends with the call', async () => {
    const cwd = tree({ a: 'x\n' })
    const search = nodeSearch({ environment: { RG_PATH: slow(`${cwd}/pid`) } })
    const controller = new AbortController()
    const tool = grepTool({ fileSystem: fileSystemAt(cwd), search })
    const running = tool.execute({ pattern: 'x' }, contextOf({ signal: controller.signal }))
    const ended = expect(running).rejects.toThrow('enough')
    await until(() => existsSync(`${cwd}/pid`) && readFileSync(`${cwd}/pid`, 'utf8').endsWith('\n'))
    controller.abort(new Error('enough'))
    await ended
    expect(isRunning(`${cwd}/pid`)).toBe(false)
  })
})

function isRunning(file: string): boolean {
  try {
    return process.kill(Number(readFileSync(file, 'utf8')), 0)
  } catch {
    // The process does not exist.
    return false
  }
}

describe('lines of files', () => {
  const query = { pattern: 'x' }

  async function linesOf(files: readonly string[]) {
    const lines: FoundLine[] = []
    const end = await nodeSearch().lines(files, query, {
      before: 0,
      after: 0,
      signal,
      onLine: (line) => lines.push(line) > 0,
    })
    return { ...end, lines }
  }

  test('are in the order of the files, however many there are', async () => {
    const names = Array.from({ length: 200 }, (_, index) => `${index}`)
    const folder = tree(Object.fromEntries(names.map((name) => [name, `x${name}\n`])))
    const { lines } = await linesOf(names.map((name) => `${folder}/${name}`))
    expect(lines.map(({ file, text }) => [file, text])).toEqual(
      names.map((name, index) => [index, `x${name}`]),
    )
  })

  test('are not read through a link that replaced a folder', async () => {
    const outside = tree({ 'a.txt': 'x secret\n' })
    const folder = tree({ 'sub/a.txt': 'x\n', 'b.txt': 'x\n', 'c.txt': 'x\n' })
    const real = { sub: `${folder}/sub`, away: `${folder}/away`, b: `${folder}/b.txt` }
    renameSync(real.sub, real.away)
    symlinkSync(outside, real.sub)
    rmSync(real.b)
    symlinkSync(`${outside}/a.txt`, real.b)
    const { lines, problems } = await linesOf([
      `${real.sub}/a.txt`,
      real.b,
      `${folder}/missing`,
      `${folder}/c.txt`,
    ])
    expect(lines).toEqual([{ file: 3, number: 1, text: 'x', matches: true }])
    expect(problems).toHaveLength(3)
  })

  test('are never from outside, while folders are swapped with links', async () => {
    const outside = tree({ 'a.txt': 'needle outside\n' })
    const cwd = tree({ 'sub/a.txt': 'needle inside\n' })
    const tool = grepTool({ fileSystem: fileSystemAt(cwd), search: nodeSearch() })
    let swapping = true
    const swaps = (async () => {
      for (let times = 0; swapping; times++) {
        if (times % 2 === 0) {
          renameSync(`${cwd}/sub`, `${cwd}/away`)
          symlinkSync(outside, `${cwd}/sub`)
        } else {
          rmSync(`${cwd}/sub`)
          renameSync(`${cwd}/away`, `${cwd}/sub`)
        }
        await setTimeout(1)
      }
    })()
    const seen: string[] = []
    for (let times = 0; times < 40; times++) {
      const args = { pattern: 'needle', path: 'sub', output_mode: 'content' as const, '-C': 0 }
      const result = await Promise.resolve(tool.execute(args, contextOf())).catch(() => undefined)
      if (result?.output_mode === 'content')
        seen.push(...result.matches.map((each) => each.content))
    }
    swapping = false
    await swaps
    expect(seen).toContain('needle inside')
    expect(seen.filter((text) => text.includes('outside'))).toEqual([])
  })
})
