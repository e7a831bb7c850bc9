import { describe, expect, test } from 'vitest'
import { verdictIn, fileSystemWith } from '../../test/file-system.ts'
import type { Verdict } from '../rule/rule.ts'

const fileSystem = fileSystemWith(['a.txt', 'certs/', 'certs/server.pem', 'docs/', 'docs/b.txt'])

describe('a rule with a glob does not cover what is denied', () => {
  test.each<[string, string, Verdict]>([
    ['cat docs/*', 'Read(./certs/**)', 'allow'],
    ['cat "docs"/*.txt', 'Read(./certs/**)', 'allow'],
    ['ls certs/*', 'Read(*.pem)', 'deny'],
    ['cat certs/*', 'Read(*.pem)', 'deny'],
    ['cat *', 'Read(./certs/**)', 'deny'],
    ['cat {docs/b,certs/server}.pem', 'Read(*.pem)', 'deny'],
  ])('%s where %s is denied: %s', async (command, denied, verdict) => {
    expect(
      await verdictIn(fileSystem, command, { allow: [`Bash(${command})`], deny: [denied] }),
    ).toBe(verdict)
  })
})
