import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Unanswered } from '@toolglot/agent'
import { describe, expect, test } from 'vitest'
import type { Host } from '../host/host.ts'
import { nodeHost } from '../node/host.ts'
import { describeConformance } from '../../test/describe-conformance.ts'
import { conformance, type HostSetup, overHost } from './index.ts'
import { share } from '../../../../tests/helpers/size.ts'

function machine({ fileSystem, storage, answers }: HostSetup): Host {
  const ask = async () => {
    if (Object.keys(answers).length === 0) throw new Unanswered()
    return answers
  }
  return nodeHost({ fileSystem, storage, sandbox: { use: 'none' }, ask })
}

describeConformance('the Node host', overHost(machine), 2)

describe('detects a host that does not conform', () => {
  const changes: [
    name: string,
    change: (host: Host) => Partial<Host>,
    id: string,
    about: RegExp,
  ][] = [
    [
      'creates no folders',
      ({ files }) => ({
        files: {
          ...files,
          async replace(path, bytes) {
            await writeFile(path, bytes)
            return { facts: (await files.stat(path))!, folders: [] }
          },
        },
      }),
      'T1.2',
      /a file and its folders/,
    ],
    [
      'reports no modification times',
      ({ search }) => ({ search: { ...search, times: async (files) => files.map(() => 0) } }),
      'T1.4',
      /most recently modified first/,
    ],
    [
      'does not report a timeout',
      ({ processes }) => ({
        processes: {
          ...processes,
          run: async (...args) => {
            const { timedOut: _, ...ended } = await processes.run(...args)
            return ended
          },
        },
      }),
      'T1.6',
      /at its timeout/,
    ],
    [
      'answers for the user',
      () => ({ ask: async () => ({ 'Which database should we use?': 'PostgreSQL' }) }),
      'T1.7',
      /is not consent/,
    ],
    [
      'stores data in another folder',
      ({ storage }) => ({ storage: { folder: join(storage.folder, 'elsewhere') } }),
      'T2.1',
      /outlives the session/,
    ],
    [
      'follows redirects itself',
      ({ web }) => ({
        web: {
          ...web,
          async request(url) {
            const answer = await fetch(url)
            const body = new Uint8Array(await answer.arrayBuffer())
            return { status: answer.status, headers: Object.fromEntries(answer.headers), body }
          },
        },
      }),
      'T3.1',
      /same host is followed/,
    ],
  ]
  test.each(share(changes, 2))('%s', async (_name, change, id, about) => {
    const found = conformance.filter((check) => check.id === id && about.test(check.about))
    expect(found).toHaveLength(1)
    const target = overHost((setting) => {
      const host = machine(setting)
      return { ...host, ...change(host) }
    })
    await expect(found[0]!.run(target)).rejects.toThrow()
  })
})
